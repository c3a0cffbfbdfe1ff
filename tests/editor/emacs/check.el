;; Run by run.sh: the server behind Emacs' own client, eglot, set up as docs/editors.md says.

(dolist (folder (directory-files "/usr/share/emacs/site-lisp/elpa" t "^[a-z]"))
  (add-to-list 'load-path folder)) ; where Debian keeps eglot; -Q leaves it out
(require 'eglot)
(setq eglot-sync-connect 60
      eglot-autoshutdown t
      eglot-confirm-server-initiated-edits nil
      eglot-send-changes-idle-time 0.05
      flymake-no-changes-timeout 0.05)
(with-temp-buffer
  (insert-file-contents (getenv "PAGE"))
  (search-forward "```elisp\n")
  (eval (read (current-buffer))))

(defun check-wait (what fact)
  (let ((end (+ (float-time) 60)))
    (while (not (funcall fact))
      (when (> (float-time) end) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.02))))

(defun check-place (text)
  (goto-char (point-min))
  (search-forward text)
  (backward-char 2))

(defun check-choose (title)
  "Open the menu of actions on this line, and choose the one that begins with TITLE."
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_prompt choices &rest _)
               (or (seq-find (lambda (name) (string-prefix-p title name)) (mapcar #'car choices))
                   (error "The menu has no %s: %S" title (mapcar #'car choices)))))
            (last-nonmenu-event ?\r)) ; batch leaves it nil, which eglot takes for the mouse
    (eglot-code-actions (line-beginning-position) (line-end-position) nil t)))

(defun check-text (file)
  (with-temp-buffer (insert-file-contents file) (buffer-string)))

(find-file (getenv "MODEL"))
(python-mode)
(apply #'eglot (eglot--guess-contact)) ; what M-x eglot does, without a question
(check-wait "the server" #'eglot-managed-p)
(flymake-mode 1)

(check-wait "a diagnostic" (lambda () (flymake-start) (flymake-diagnostics)))
(let ((found (car (flymake-diagnostics))))
  (unless (string-match-p "np\\.unique"
                          (buffer-substring (flymake-diagnostic-beg found)
                                            (flymake-diagnostic-end found)))
    (error "The diagnostic is elsewhere: %s" (flymake-diagnostic-text found))))
(princ "ok: the diagnostic is on np.unique\n")

(check-place "def logistic_loss")
(let* ((answer (jsonrpc-request (eglot-current-server) :textDocument/hover
                                (eglot--TextDocumentPositionParams)))
       (shown (substring-no-properties (eglot--format-markup (plist-get answer :contents)))))
  (unless (string-match-p "def logistic_loss_grad(w, X, y):" shown) (error "The hover: %s" shown)))
(princ "ok: the hover shows the gradient\n")

(let ((before (buffer-string)))
  (check-choose "Generate gradient of `logistic_loss` with respect to `w`")
  (unless (equal (buffer-string) (check-text (getenv "EXPECTED")))
    (error "The buffer is not what the command line writes:\n%s" (buffer-string)))
  (princ "ok: the code action writes what the command line writes\n")
  (undo-boundary)
  (primitive-undo 1 (if (null (car buffer-undo-list)) (cdr buffer-undo-list) buffer-undo-list))
  (unless (equal (buffer-string) before) (error "Undo left:\n%s" (buffer-string))))
(princ "ok: one undo takes it back\n")

(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
