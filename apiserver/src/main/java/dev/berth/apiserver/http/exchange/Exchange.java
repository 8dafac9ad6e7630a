package dev.berth.apiserver.http.exchange;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.rights.fair.Haste;
import dev.berth.apiserver.rights.fair.Work;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Scheduler;

/// One request and its answer, which is given exactly once.
///
/// @param callback to be called when the answer is sent, or cannot be
/// @param patience how long the request's body may take to come
public record Exchange(
    Request request, Response response, Callback callback, Query query, Duration patience) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PIECE = 64 * 1024;

  public static Exchange of(
      Request request, Response response, Callback callback, Duration patience) {
    var random = ThreadLocalRandom.current();
    response
        .getHeaders()
        .put("Audit-Id", new UUID(random.nextLong(), random.nextLong()).toString())
        .put(HttpHeader.CACHE_CONTROL, "no-cache, private");
    return new Exchange(request, response, callback, Query.of(request), patience);
  }

  public String method() {
    return request.getMethod();
  }

  /// A header's value; empty if it is absent.
  public String header(HttpHeader name) {
    var value = request.getHeaders().get(name);
    return value == null ? "" : value;
  }

  /// All of a header's values, joined by commas.
  public String headers(HttpHeader name) {
    return String.join(",", request.getHeaders().getValuesList(name));
  }

  private boolean speaksHttp2() {
    return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2;
  }

  /// Whether the client sits on this machine.
  public boolean fromThisMachine() {
    var remote = request.getConnectionMetaData().getRemoteSocketAddress();
    return remote instanceof InetSocketAddress address
        && address.getAddress() != null
        && address.getAddress().isLoopbackAddress();
  }

  /// Ends the reading of its body by `failure`, unless that is called off before.
  Scheduler.Task failAfter(Duration time, Throwable failure) {
    var scheduler = request.getComponents().getScheduler();
    return scheduler.schedule(() -> request.fail(failure), time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Tells when the client leaves before its answer has ended. For answers that may go on for long
  /// with nothing to send, before anything of them is sent.
  ///
  /// Over HTTP/2 the request's failure tells. Over HTTP/1.1 a client that has sent its request has
  /// nothing more to send: if its connection has something to read, that is its end. So that this
  /// stays true the connection serves no other request.
  public void onDeparture(Consumer<Throwable> left) {
    if (speaksHttp2()) return;
    response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
    var gone = new IOException("the client has closed its connection");
    request
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint()
        .tryFillInterested(
            Callback.from(Invocable.InvocationType.NON_BLOCKING, () -> left.accept(gone), left));
  }

  /// Reads on to the end of a body that is refused unread: over HTTP/2 a client that is still
  /// sending when it is answered would be cut off, and some then do not look at the answer.
  public void drain() {
    Work.of(request).leave();
    Rest.of(request).hear(Bodies.LIMIT, patience);
  }

  public void warn(List<String> texts) {
    for (var header : Warnings.headers(texts)) response.getHeaders().add("Warning", header);
  }

  public void json(int status, JsonNode body) {
    bytes(status, "application/json", text(body));
  }

  public void text(int status, String body) {
    bytes(status, "text/plain; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
  }

  /// Sends `body`, which is not to be changed afterwards. Waits until the client has taken it: as
  /// long as it is in memory its request has a seat, and its deadline.
  public void bytes(int status, String contentType, byte[] body) {
    Recording.answered(request, contentType, body);
    var sent = Packing.wanted(this, body.length) ? Packing.packed(this, body) : body;
    Work.of(request).leave();
    // The next request could not be told apart.
    if (!speaksHttp2() && !Rest.of(request).hear())
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
    response.setStatus(status);
    response
        .getHeaders()
        .put(HttpHeader.CONTENT_TYPE, contentType)
        .put(new HttpField.LongValueHttpField(HttpHeader.CONTENT_LENGTH, sent.length));
    try {
      send(sent);
    } catch (IOException gone) {
      callback.failed(new EofException(gone)); // which is not logged
      return;
    }
    callback.succeeded();
  }

  /// In pieces: what a slow client takes of a large one counts.
  private void send(byte[] bytes) throws IOException {
    int done = 0;
    do {
      int count = Math.min(PIECE, bytes.length - done);
      var sent = new Callback.Completable();
      response.write(done + count == bytes.length, ByteBuffer.wrap(bytes, done, count), sent);
      try {
        if (!Haste.of(request).await(sent)) throw new Haste.OwedException();
        sent.get();
      } catch (ExecutionException failed) {
        throw new IOException(failed.getCause());
      } catch (InterruptedException ended) {
        throw (IOException) new InterruptedIOException("while it was sent").initCause(ended);
      }
      done += count;
    } while (done < bytes.length);
  }

  public void refuse(Refusal refusal) {
    int retryAfter = refusal.details().retryAfterSeconds();
    if (retryAfter > 0) response.getHeaders().put(HttpHeader.RETRY_AFTER, (long) retryAfter);
    var encoding = Accepted.ofRefusal(headers(HttpHeader.ACCEPT), refusal);
    var status = Rendering.of(refusal.toStatus(), this, encoding);
    bytes(refusal.code(), encoding.mediaType(), status);
  }

  /// As clients know it from upstream: plain text, so that they tell a missing API from a missing
  /// object (API-24).
  public void notFound() {
    text(404, "404 page not found\n");
  }

  public static byte[] text(JsonNode tree) {
    try {
      return JSON.writeValueAsBytes(tree);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a JSON tree has a text", impossible);
    }
  }
}
