package dev.berth.apiserver.http.stream;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/// As much of SPDY/3.1 as forwarding a port needs, on the server's side: streams that the client
/// opens, with data both ways. Kubernetes' clients send no window updates and heed none.
final class SpdyConnection {
  private static final int CONTROL = 0x8003;
  private static final int SYN_STREAM = 1;
  private static final int SYN_REPLY = 2;
  private static final int RST_STREAM = 3;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int FIN = 1;
  private static final int CANCEL = 5;
  private static final int LENGTH = (1 << 24) - 1;

  /// Of a frame that is no data, in bytes: nobody who forwards a port has more to say.
  private static final int LONGEST = 64 * 1024;

  /// Of data, at once: what a head promises takes no memory before it has come.
  private static final int BLOCK = 16 * 1024;

  private final DataInputStream in;
  private final OutputStream out;
  private final SpdyHeaders headers = new SpdyHeaders();

  /// What is still to come of a frame of data.
  private int stream;

  private int left;
  private boolean last;

  SpdyConnection(InputStream in, OutputStream out) {
    this.in = new DataInputStream(in);
    this.out = out;
  }

  /// What the client has sent.
  sealed interface Message {
    /// A new stream, to be answered with [#accept].
    record Opened(int stream, Map<String, String> headers, boolean last) implements Message {}

    /// @param last nothing more comes on this stream
    record Data(int stream, byte[] bytes, boolean last) implements Message {}

    /// The client does not want it any more.
    record Reset(int stream) implements Message {}
  }

  /// The next message; empty: the client has nothing more to say. A long frame of data is several.
  Optional<Message> next() throws IOException {
    if (left > 0) return Optional.of(piece());
    while (true) {
      int first;
      try {
        first = in.readInt();
      } catch (EOFException _) {
        return Optional.empty();
      }
      int second = in.readInt();
      int flags = second >>> 24;
      int length = second & LENGTH;
      boolean end = (flags & FIN) != 0;
      if (first >= 0) {
        stream = first;
        left = length;
        last = end;
        return Optional.of(piece());
      }
      if (first >>> 16 != CONTROL) throw new IOException("not SPDY/3");
      if (length > LONGEST) throw new IOException("a control frame of " + length + " bytes");
      var body = new byte[length];
      in.readFully(body);
      var fields = ByteBuffer.wrap(body);
      switch (first & 0xffff) {
        case SYN_STREAM -> {
          if (length < 10) throw new IOException("a SYN_STREAM of " + length + " bytes");
          int opened = fields.getInt() & Integer.MAX_VALUE;
          var packed = Arrays.copyOfRange(body, 10, length);
          return Optional.of(new Message.Opened(opened, headers.unpack(packed), end));
        }
        case RST_STREAM -> {
          if (length < 4) throw new IOException("a RST_STREAM of " + length + " bytes");
          return Optional.of(new Message.Reset(fields.getInt() & Integer.MAX_VALUE));
        }
        case PING -> {
          if (isTheClients(fields, length)) control(PING, 0, body);
        }
        case GOAWAY -> {
          return Optional.empty();
        }
        default -> {} // settings, windows, more headers: nothing follows from them
      }
    }
  }

  private Message piece() throws IOException {
    var bytes = new byte[Math.min(left, BLOCK)];
    in.readFully(bytes);
    left -= bytes.length;
    return new Message.Data(stream, bytes, last && left == 0);
  }

  /// Its questions have odd numbers; an even one is its answer to ours.
  private static boolean isTheClients(ByteBuffer fields, int length) {
    return length >= 4 && (fields.getInt(0) & 1) == 1;
  }

  /// Sends the client a question; it may answer or not.
  void ping() throws IOException {
    control(PING, 0, ByteBuffer.allocate(4).putInt(2).array());
  }

  /// Takes a stream that was opened.
  void accept(int opened) throws IOException {
    synchronized (headers) {
      var packed = headers.packNothing();
      control(
          SYN_REPLY, 0, ByteBuffer.allocate(4 + packed.length).putInt(opened).put(packed).array());
    }
  }

  /// Ends a stream both ways.
  void reset(int refused) throws IOException {
    control(RST_STREAM, 0, ByteBuffer.allocate(8).putInt(refused).putInt(CANCEL).array());
  }

  /// @param ends nothing more comes on this stream
  void data(int number, byte[] bytes, int length, boolean ends) throws IOException {
    int done = 0;
    do {
      int count = Math.min(BLOCK, length - done);
      boolean end = ends && done + count == length;
      write(
          ByteBuffer.allocate(8 + count)
              .putInt(number)
              .putInt((end ? FIN : 0) << 24 | count)
              .put(bytes, done, count)
              .array());
      done += count;
    } while (done < length);
  }

  private void control(int type, int flags, byte[] body) throws IOException {
    write(
        ByteBuffer.allocate(8 + body.length)
            .putInt(CONTROL << 16 | type)
            .putInt(flags << 24 | body.length)
            .put(body)
            .array());
  }

  /// A frame whole, whoever else writes.
  private void write(byte[] frame) throws IOException {
    out.write(frame, 0, frame.length);
  }
}
