package dev.berth.apiserver.http.watch;

import dev.berth.apiserver.http.exchange.Accepted.Encoding;
import dev.berth.apiserver.http.exchange.Exchange;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/// A watch as the body of an HTTP answer: one event a line, or one a frame.
final class ChunkedOutlet implements Outlet {
  private final Exchange exchange;
  private final Encoding encoding;

  ChunkedOutlet(Exchange exchange, Encoding encoding) {
    this.exchange = exchange;
    this.encoding = encoding;
    exchange.response().setStatus(200);
    exchange.response().getHeaders().put(HttpHeader.CONTENT_TYPE, contentType(encoding));
  }

  private static String contentType(Encoding encoding) {
    return encoding == Encoding.PROTOBUF
        ? encoding.mediaType() + ";stream=watch"
        : encoding.mediaType();
  }

  @Override
  public void open(Callback sent) {
    exchange.response().write(false, BufferUtil.EMPTY_BUFFER, sent);
  }

  @Override
  public void send(List<List<byte[]>> events, Callback sent) {
    int bytes = 0;
    for (var event : events) for (var part : event) bytes += part.length;
    boolean isText = encoding == Encoding.JSON;
    var lines = ByteBuffer.allocate(isText ? bytes + events.size() : bytes);
    for (var event : events) {
      event.forEach(lines::put);
      if (isText) lines.put((byte) '\n');
    }
    exchange.response().write(false, lines.flip(), sent);
  }

  @Override
  public void end() {
    exchange.response().write(true, BufferUtil.EMPTY_BUFFER, exchange.callback());
  }

  @Override
  public void fail(Throwable cause) {
    exchange.callback().failed(cause);
  }
}
