package dev.berth.apiserver.http;

import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusal.Details;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;

/// What is said of a request that Jetty refuses before anybody of ours sees it: a URL or a header
/// that is none. A `Status`, as of every other refusal, instead of Jetty's page.
final class TransportErrors implements Request.Handler {
  /// How Jetty calls a request whose URL it cannot read. That is the client's mistake, also when
  /// Jetty's refusal and the end of the connection get in each other's way, which it takes for 500.
  private static final Set<String> UNREADABLE = Set.of("/badMessage", "/badURI");

  /// In bytes, and for how long: of what comes after it.
  private static final int MOST = 1024 * 1024;

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    boolean unreadable = UNREADABLE.contains(request.getHttpURI().getPath());
    int code = unreadable ? HttpStatus.BAD_REQUEST_400 : response.getStatus();
    response.setStatus(code);
    var reason = HttpStatus.getMessage(code);
    var said = new Refusal(code, reason.replace(" ", ""), reason, Details.NONE).toStatus();
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    var metadata = request.getConnectionMetaData();
    // Jetty ends the connection after what it cannot read, and does not say so: the next request
    // of an innocent client would be lost on it.
    boolean closes =
        metadata.getHttpVersion() != HttpVersion.HTTP_2 && (unreadable || !metadata.isPersistent());
    if (closes) response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
    var text = ByteBuffer.wrap(said.toString().getBytes(StandardCharsets.UTF_8));
    response.write(true, text, closes ? heardBefore(callback, request) : callback);
    return true;
  }

  /// Jetty reads no further, and would reset the connection of a client that goes on sending.
  private static Callback heardBefore(Callback callback, Request request) {
    var connection = request.getConnectionMetaData().getConnection().getEndPoint();
    return Callback.from(
        () -> Thread.startVirtualThread(() -> hear(connection, callback)), callback::failed);
  }

  private static void hear(EndPoint connection, Callback callback) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    try {
      var buffer = BufferUtil.allocate(4_096);
      for (int heard = 0; heard < MOST; heard += buffer.remaining(), BufferUtil.clear(buffer)) {
        int count = connection.fill(buffer);
        if (count < 0 || (count == 0 && !comes(connection, until - System.nanoTime()))) return;
      }
    } catch (IOException gone) {
      // there is nothing more to hear
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    } finally {
      callback.succeeded();
    }
  }

  private static boolean comes(EndPoint connection, long nanos) throws InterruptedException {
    var there = new CountDownLatch(1);
    boolean asked =
        connection.tryFillInterested(
            Callback.from(
                Invocable.InvocationType.NON_BLOCKING, there::countDown, _ -> there.countDown()));
    return asked && there.await(nanos, TimeUnit.NANOSECONDS);
  }
}
