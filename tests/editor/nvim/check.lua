-- Run by run.sh: what docs/editors.md says is to be put into init.lua, and then what a user does. Works from
-- Neovim 0.7 on, which has no `nvim -l` and no vim.lsp.start.

local model, expected, page = vim.env.MODEL, vim.env.EXPECTED, vim.env.PAGE

local function say(text)
  io.stdout:write(text, "\n")
end

local function wait_for(what, condition)
  assert(vim.wait(60000, condition, 20), "waited in vain for " .. what)
end

local function place_on(pattern)
  assert(vim.fn.search(pattern, "cw") > 0, "the module has no " .. pattern)
end

local function buffer_text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n"
end

-- The page's lines for this version of Neovim.
local function configuration()
  local text = table.concat(vim.fn.readfile(page), "\n")
  local newest, older = text:match("```lua\n(.-)```.-```lua\n(.-)```")
  return vim.lsp.enable and newest or older
end

-- What the page says of 0.7: start_client takes the same table, and its id goes to buf_attach_client.
local function fill_in_for_0_7()
  vim.fs = vim.fs or { find = function() return { model } end, dirname = function(file) return vim.fn.fnamemodify(file, ":h") end }
  vim.lsp.start = vim.lsp.start or function(config)
    vim.lsp.buf_attach_client(0, assert(vim.lsp.start_client(config)))
  end
end

local function start()
  fill_in_for_0_7()
  assert(loadstring(configuration()))()
  vim.cmd("edit " .. vim.fn.fnameescape(model))
  vim.bo.filetype = "python" -- without plugins nothing finds it out
  local client
  wait_for("the server", function()
    for id, found in pairs(vim.lsp.buf_get_clients(0)) do
      client = found.name == "pullback" and found.initialized and vim.lsp.get_client_by_id(id) or nil
    end
    return client
  end)
  return client
end

local function check_diagnostics()
  wait_for("a diagnostic", function()
    return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) > 0
  end)
  local found = vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })
  assert(#found == 1, vim.inspect(found))
  local line = vim.api.nvim_buf_get_lines(0, found[1].lnum, found[1].lnum + 1, false)[1]
  local marked = line:sub(found[1].col + 1, found[1].end_col)
  assert(marked:find("np.unique", 1, true), "the diagnostic marks " .. marked)
  assert(found[1].source == "pullback", vim.inspect(found[1]))
  say("ok: the diagnostic is on " .. marked .. ": " .. found[1].message)
end

-- vim.lsp.buf.hover() shows the answer in a window, which is where it is read from.
local function check_hover()
  place_on("logistic_loss(")
  vim.lsp.buf.hover()
  local shown
  wait_for("the hover", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        local buffer = vim.api.nvim_win_get_buf(window)
        shown = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
      end
    end
    return shown ~= nil
  end)
  assert(shown:find("def logistic_loss_grad(w, X, y):", 1, true), shown)
  say("ok: the hover shows the gradient")
end

-- The menu is answered here; resolving the action and making the edit is Neovim's own work.
local function check_code_action()
  place_on("logistic_loss(")
  vim.ui.select = function(actions, options, choose)
    for index, action in ipairs(actions) do
      if options.format_item(action):find("Generate gradient of `logistic_loss`", 1, true) then
        return choose(action, index)
      end
    end
    error("the menu has no gradient: " .. vim.inspect(vim.tbl_map(options.format_item, actions)))
  end
  local before = buffer_text()
  vim.lsp.buf.code_action()
  wait_for("the edit", function()
    return buffer_text() ~= before
  end)
  local want = table.concat(vim.fn.readfile(expected), "\n") .. "\n"
  assert(buffer_text() == want, buffer_text())
  say("ok: the code action writes what the command line writes")
end

local function check()
  local client = start()
  check_diagnostics()
  check_hover()
  check_code_action()
  client.stop()
  wait_for("the end of the server", client.is_stopped)
  say("ok: the server stops")
end

local ok, problem = xpcall(check, debug.traceback)
if not ok then
  io.stderr:write("FAILED: ", tostring(problem), "\n")
  vim.cmd("cquit 1")
end
vim.cmd("qall!")
