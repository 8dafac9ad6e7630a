package dev.berth.node.pod.probe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/// One GET on one connection. Whose certificate a server shows is not asked: a probe wants to know
/// whether it answers.
record HttpRequest(JsonNode action, String host, int port) {
  private static final String AGENT = "kube-probe/1.36";
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final int LONGEST_LINE = 8192;

  String url() {
    return scheme() + "://" + authority() + path();
  }

  private String scheme() {
    return Json.text(action, "scheme").equalsIgnoreCase("HTTPS") ? "https" : "http";
  }

  private String path() {
    var path = Json.text(action, "path");
    return (path.startsWith("/") ? path : "/" + path).replace(" ", "%20");
  }

  private String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /// Sends it and reads the first line of the answer.
  int status(Socket plain) throws IOException {
    var socket = scheme().equals("https") ? tls(plain) : plain;
    socket.getOutputStream().write(text().getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
    var line = line(socket.getInputStream());
    var words = line.split(" ", 3);
    if (words.length < 2 || !words[0].startsWith("HTTP/") || !words[1].matches("[0-9]{3}"))
      throw new IOException("malformed HTTP response");
    return Integer.parseInt(words[1]);
  }

  private String text() throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put("Host", authority());
    headers.put("User-Agent", AGENT);
    headers.put("Accept", "*/*");
    headers.put("Connection", "close");
    for (var header : action.path("httpHeaders"))
      headers.put(Json.text(header, "name"), Json.text(header, "value"));
    refuseBroken(headers);
    return "GET "
        + path()
        + " HTTP/1.1\r\n"
        + headers.entrySet().stream()
            .map(header -> header.getKey() + ": " + header.getValue() + "\r\n")
            .collect(Collectors.joining())
        + "\r\n";
  }

  /// Each by itself: what its author writes must not become a second request.
  private void refuseBroken(Map<String, String> headers) throws IOException {
    if (hasControl(path())) throw new IOException("path with a control character");
    for (var header : headers.entrySet()) {
      if (!TOKEN.matcher(header.getKey()).matches())
        throw new IOException("header whose name is no HTTP token");
      if (hasControl(header.getValue()))
        throw new IOException("header with a control character in its value");
    }
  }

  private static boolean hasControl(String text) {
    return text.chars().anyMatch(c -> c != '\t' && Character.isISOControl(c));
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) throw new IOException("EOF");
      if (line.length() == LONGEST_LINE) throw new IOException("malformed HTTP response");
      line.append((char) c);
    }
    return line.toString().strip();
  }

  private Socket tls(Socket plain) throws IOException {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Anybody()}, null);
      return context.getSocketFactory().createSocket(plain, host, port, true);
    } catch (GeneralSecurityException broken) {
      throw new IOException(broken);
    }
  }

  private static final class Anybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
