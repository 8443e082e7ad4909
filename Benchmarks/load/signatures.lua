-- Shared by single.lua and twenty.lua, which set OFFERS_PER_REQUEST.
--
-- Environment: BENCH_BUNDLE   the bundle id
--              BENCH_OFFERS   product:offer pairs, separated by commas
--              BENCH_TOKEN    the bearer token; left out: no Authorization header

local DISTINCT_REQUESTS = 16

local function pairs_from(text)
  local offers = {}
  for product, offer in text:gmatch("([^:,]+):([^:,]+)") do
    offers[#offers + 1] = string.format('{"productId":"%s","offerId":"%s"}', product, offer)
  end
  assert(#offers > 0, "BENCH_OFFERS names no product:offer pair")
  return offers
end

local function body(number, offers)
  local chosen = {}
  for i = 1, OFFERS_PER_REQUEST do
    chosen[i] = offers[(number + i - 2) % #offers + 1]
  end
  return string.format(
    '{"bundleId":"%s","applicationUsername":"customer-%06d@example.com","offers":[%s]}',
    os.getenv("BENCH_BUNDLE"), number, table.concat(chosen, ","))
end

local requests = {}
local turn = 0

function init(args)
  local headers = { ["Content-Type"] = "application/json" }
  local token = os.getenv("BENCH_TOKEN")
  if token and token ~= "" then headers["Authorization"] = "Bearer " .. token end
  local offers = pairs_from(os.getenv("BENCH_OFFERS"))
  -- Whole requests are made beforehand, so that the generator spends its time on the network.
  for number = 1, DISTINCT_REQUESTS do
    requests[number] = wrk.format("POST", "/v1/signatures", headers, body(number, offers))
  end
end

function request()
  turn = turn % DISTINCT_REQUESTS + 1
  return requests[turn]
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "result.lua")
