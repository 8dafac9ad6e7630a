package dev.berth.kube.http;

import io.fabric8.kubernetes.client.Config;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a server is asked, with all that has to be said each time: who asks, by what, over which
/// proxy.
final class Requests {
  static final String JSON = "application/json";

  /// What a header's name may have, but for the percent sign.
  private static final String IN_NAMES =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$&'*+-.^_`|~";

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final Identity identity;
  private final String server;
  private final Optional<Proxies> proxy;

  Requests(Identity identity) {
    this.identity = identity;
    this.server = identity.config().getMasterUrl().replaceAll("/+$", "");
    this.proxy = identity.proxy();
  }

  URI server() {
    return URI.create(server);
  }

  Client client() {
    return new Client(this::made);
  }

  private HttpClient made() {
    var builder = identity.client();
    proxy.ifPresentOrElse(
        it -> builder.proxy(ProxySelector.of(it.address())),
        () -> builder.proxy(HttpClient.Builder.NO_PROXY));
    return builder.build();
  }

  /// Asks without a body.
  HttpRequest of(String method, String path, Map<String, String> query) {
    return request(path, query).method(method, BodyPublishers.noBody()).build();
  }

  /// Asks with a body.
  HttpRequest of(String method, String path, String contentType, byte[] body) {
    return request(path, Map.of())
        .header("Content-Type", contentType)
        .method(method, BodyPublishers.ofByteArray(body))
        .build();
  }

  private HttpRequest.Builder request(String path, Map<String, String> query) {
    var text =
        query.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + encoded(entry.getValue()))
            .collect(Collectors.joining("&"));
    var request =
        HttpRequest.newBuilder(URI.create(server + path + (text.isEmpty() ? "" : "?" + text)));
    request.setHeader("Accept", JSON);
    var config = identity.config();
    var name = config.getUserAgent();
    if (name != null && !name.isEmpty()) request.setHeader("User-Agent", name);
    if (config.getCustomHeaders() != null) config.getCustomHeaders().forEach(request::header);
    impersonate(request, config);
    proxy
        .flatMap(Proxies::authorization)
        .ifPresent(it -> request.setHeader("Proxy-Authorization", it));
    identity.sign(request);
    return request;
  }

  private static void impersonate(HttpRequest.Builder request, Config config) {
    var user = config.getImpersonateUsername();
    if (user == null || user.isEmpty()) return;
    request.header("Impersonate-User", user);
    if (config.getImpersonateGroups() != null)
      for (var group : config.getImpersonateGroups()) request.header("Impersonate-Group", group);
    if (config.getImpersonateExtras() != null)
      config
          .getImpersonateExtras()
          .forEach((key, values) ->
              values.forEach(value -> request.header("Impersonate-Extra-" + inName(key), value)));
  }

  /// As part of a header's name, as client-go has it: each byte that may not stand there, and the
  /// percent sign itself, as `%` and two hexadecimal digits (RFC 9110, section 5.6.2).
  private static String inName(String key) {
    var text = new StringBuilder();
    for (byte each : key.getBytes(StandardCharsets.UTF_8))
      if (IN_NAMES.indexOf((char) each) >= 0) text.append((char) each);
      else text.append('%').append(HEX.toHexDigits(each));
    return text.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
