package dev.berth.apiserver.http.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.jspecify.annotations.Nullable;

/// A WebSocket whose messages are bytes. Each message is dealt with on a virtual thread, and the
/// next is read when that has been done: who is slow is waited for.
abstract class Socket implements FrameHandler {
  private final ReentrantLock sending = new ReentrantLock();
  private final Runnable gone;
  private volatile @Nullable CoreSession session;

  /// @param gone to be run once it is closed
  Socket(Runnable gone) {
    this.gone = gone;
  }

  /// It is open. Runs on a virtual thread.
  abstract void opened();

  /// The client has sent some bytes of a message.
  ///
  /// @param first whether they are the first of the message
  abstract void received(byte[] bytes, boolean first) throws IOException;

  /// It is closed, by whomever. Comes once or more often.
  abstract void closed();

  /// Sends a message, and waits until it is on its way.
  ///
  /// @throws IOException the client has left
  final void send(ByteBuffer message) throws IOException {
    send(new Frame(OpCode.BINARY, message));
  }

  /// Sends the client a question, and waits until it is on its way.
  ///
  /// @throws IOException the client has left
  final void ping() throws IOException {
    send(new Frame(OpCode.PING));
  }

  private void send(Frame frame) throws IOException {
    var open = session;
    if (open == null) throw new IOException("the client has left");
    sending.lock();
    try (var sent = Blocker.callback()) {
      open.sendFrame(frame, sent, false);
      sent.block();
    } finally {
      sending.unlock();
    }
  }

  /// Says farewell.
  final void end() {
    var open = session;
    if (open != null) open.close(CloseStatus.NORMAL, null, Callback.NOOP);
  }

  @Override
  public final void onOpen(CoreSession coreSession, Callback callback) {
    session = coreSession;
    callback.succeeded();
    Thread.startVirtualThread(this::opened);
    coreSession.demand();
  }

  @Override
  public final void onFrame(Frame frame, Callback callback) {
    var open = session;
    if (open == null) {
      callback.succeeded();
      return;
    }
    switch (frame.getOpCode()) {
      case OpCode.PING -> {
        open.sendFrame(
            new Frame(OpCode.PONG, BufferUtil.copy(frame.getPayload())), Callback.NOOP, false);
        callback.succeeded();
        open.demand();
      }
      case OpCode.BINARY, OpCode.TEXT, OpCode.CONTINUATION -> {
        var bytes = BufferUtil.toArray(frame.getPayload());
        boolean first = frame.getOpCode() != OpCode.CONTINUATION;
        callback.succeeded();
        Thread.startVirtualThread(() -> deal(open, bytes, first));
      }
      case OpCode.CLOSE -> {
        callback.succeeded();
        Thread.startVirtualThread(this::closed);
      }
      default -> {
        callback.succeeded();
        open.demand();
      }
    }
  }

  private void deal(CoreSession open, byte[] bytes, boolean first) {
    try {
      received(bytes, first);
    } catch (IOException | RuntimeException wrong) {
      open.close(CloseStatus.PROTOCOL, wrong.getMessage(), Callback.NOOP);
      return;
    }
    open.demand();
  }

  @Override
  public final void onError(Throwable cause, Callback callback) {
    Thread.startVirtualThread(this::closed);
    callback.succeeded();
  }

  @Override
  public final void onClosed(CloseStatus closeStatus, Callback callback) {
    session = null;
    gone.run();
    Thread.startVirtualThread(this::closed);
    callback.succeeded();
  }
}
