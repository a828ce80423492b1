# Varnish in front of analytics-proxy (docs/deployment.md, Varnish). Headers decide what is kept: files for a minute or an hour,
# answers of the API never. This file adds what Varnish does not do by itself.
#
#   varnishd -f /etc/varnish/analytics.vcl -a :80 -a purge=127.0.0.1:8079 -s malloc,256m
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
    .probe = { .url = "/readyz"; .interval = 5s; .timeout = 2s; .window = 3; .threshold = 2; .initial = 2; }
}

sub vcl_recv {
    # Only by the address that is called "purge", which no client reaches. Everything is asked for again.
    if (local.socket == "purge") {
        if (req.method != "PURGE") {
            return (synth(405));
        }
        ban("obj.status != 0");
        return (synth(200, "Purged"));
    }
    # For probes of this machine, not for the world.
    if (req.url ~ "^/(healthz|readyz|freshz)([/?]|$)") {
        return (synth(404));
    }
    # Each answer counts for the limit of its client.
    if (req.url ~ "^/api([/?]|$)") {
        return (pass);
    }
    # A query string changes no file, and must not make copies of one.
    set req.url = regsub(req.url, "\?.*$", "");
    unset req.http.Cookie;
    unset req.http.Authorization;
    # What is kept may be older than its max-age by five minutes while it is fetched, and by a day while the proxy is down.
    if (std.healthy(req.backend_hint)) {
        set req.grace = 5m;
    }
}

sub vcl_backend_response {
    if (beresp.status == 200 && beresp.ttl > 0s) {
        set beresp.grace = 1d;
    }
    # What is kept stays, rather than an error in its place.
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
}
