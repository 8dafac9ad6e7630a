package dev.berth.apiserver.http;

import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusal.Details;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// What is said of a request that Jetty refuses before anybody of ours sees it: a URL or a header
/// that is none. A `Status`, as of every other refusal, instead of Jetty's page.
final class TransportErrors implements Request.Handler {
  /// How Jetty calls a request whose URL it cannot read. That is the client's mistake, also when
  /// Jetty's refusal and the end of the connection get in each other's way, which it takes for 500.
  private static final Set<String> UNREADABLE = Set.of("/badMessage", "/badURI");

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    boolean unreadable = UNREADABLE.contains(request.getHttpURI().getPath());
    int code = unreadable ? HttpStatus.BAD_REQUEST_400 : response.getStatus();
    response.setStatus(code);
    var reason = HttpStatus.getMessage(code);
    var said = new Refusal(code, reason.replace(" ", ""), reason, Details.NONE).toStatus();
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    // Jetty ends the connection after what it cannot read, and does not say so: the next request
    // of an innocent client would be lost on it.
    if (unreadable && request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2)
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
    response.write(
        true, ByteBuffer.wrap(said.toString().getBytes(StandardCharsets.UTF_8)), callback);
    return true;
  }
}
