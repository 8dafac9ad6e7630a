package dev.berth.apiserver.http.watch;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Iterator;
import java.util.List;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.jspecify.annotations.Nullable;

/// A watch over a WebSocket, one event a text frame (API-57). The client sends nothing but pings
/// and its farewell.
final class SocketOutlet implements Outlet, FrameHandler {
  private final WatchFeed.Wake wake;
  private volatile @Nullable WatchFeed feed;
  private volatile @Nullable CoreSession session;

  /// @param wake wakes the feed once the socket is open
  SocketOutlet(WatchFeed.Wake wake) {
    this.wake = wake;
  }

  /// Names the feed whose events go here; to be called before the handshake.
  void feedBy(WatchFeed feed) {
    this.feed = feed;
  }

  @Override
  public void open(Callback sent) {
    sent.succeeded(); // the handshake was the head
  }

  @Override
  public void send(List<List<byte[]>> events, Callback sent) {
    for (var rest = events.iterator(); rest.hasNext(); ) {
      var frame = new Frame(OpCode.TEXT, payload(rest.next()));
      send(frame, rest.hasNext() ? Callback.NOOP : sent, rest);
    }
  }

  /// Frames leave in order: if the last one has gone, all have.
  private void send(Frame frame, Callback sent, Iterator<?> rest) {
    var open = session;
    if (open == null) sent.failed(new ClosedChannelException());
    else open.sendFrame(frame, sent, rest.hasNext());
  }

  private static ByteBuffer payload(List<byte[]> pieces) {
    if (pieces.size() == 1) return ByteBuffer.wrap(pieces.getFirst());
    var bytes = new ByteArrayOutputStream();
    pieces.forEach(bytes::writeBytes);
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  @Override
  public void end() {
    var open = session;
    if (open != null) open.close(CloseStatus.NORMAL, null, Callback.NOOP);
  }

  @Override
  public void fail(Throwable cause) {
    var open = session;
    if (open != null) open.abort();
  }

  @Override
  public void onOpen(CoreSession coreSession, Callback callback) {
    session = coreSession;
    callback.succeeded();
    coreSession.demand();
    var waiting = feed;
    if (waiting != null) wake.connect(waiting);
  }

  @Override
  public void onFrame(Frame frame, Callback callback) {
    var open = session;
    if (open != null && frame.getOpCode() == OpCode.PING)
      open.sendFrame(
          new Frame(OpCode.PONG, BufferUtil.copy(frame.getPayload())), Callback.NOOP, false);
    callback.succeeded();
    if (open != null && frame.getOpCode() != OpCode.CLOSE) open.demand();
  }

  @Override
  public void onError(Throwable cause, Callback callback) {
    stop(cause);
    callback.succeeded();
  }

  @Override
  public void onClosed(CloseStatus closeStatus, Callback callback) {
    stop(new ClosedChannelException());
    callback.succeeded();
  }

  private void stop(Throwable cause) {
    var running = feed;
    if (running != null) running.abort(cause);
  }
}
