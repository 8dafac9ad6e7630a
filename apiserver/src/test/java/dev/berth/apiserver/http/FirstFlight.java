package dev.berth.apiserver.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/// A TLS connection whose first bytes of a request leave in one piece with the end of the
/// handshake, as those of Go and curl may.
final class FirstFlight implements AutoCloseable {
  private final SocketChannel channel;
  private final SSLEngine engine;
  private final ByteBuffer received = ByteBuffer.allocate(64 * 1024).limit(0);

  private FirstFlight(SocketChannel channel, SSLEngine engine) {
    this.channel = channel;
    this.engine = engine;
  }

  /// Connects, and sends `request` with the last message of the handshake.
  static FirstFlight with(String request, int port, SSLContext context) throws IOException {
    var engine = context.createSSLEngine("127.0.0.1", port);
    engine.setUseClientMode(true);
    var channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    var flight = new FirstFlight(channel, engine);
    flight.shakeHands(request.getBytes(StandardCharsets.UTF_8));
    return flight;
  }

  private void shakeHands(byte[] request) throws IOException {
    engine.beginHandshake();
    var last = new ByteArrayOutputStream();
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> engine.getDelegatedTask().run();
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          send(last);
          unwrap();
        }
        case NEED_WRAP -> wrap(new byte[0], last);
        case FINISHED, NOT_HANDSHAKING -> {
          wrap(request, last);
          send(last);
          return;
        }
      }
    }
  }

  private void wrap(byte[] plain, ByteArrayOutputStream out) throws IOException {
    var packet = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.wrap(plain), packet);
    out.write(packet.array(), 0, packet.position());
  }

  private void send(ByteArrayOutputStream out) throws IOException {
    var bytes = ByteBuffer.wrap(out.toByteArray());
    out.reset();
    while (bytes.hasRemaining()) channel.write(bytes);
  }

  /// The next bytes of the answer; empty: the server has closed.
  String read() throws IOException {
    while (true) {
      var plain = unwrap();
      if (plain.hasRemaining()) return StandardCharsets.UTF_8.decode(plain).toString();
      if (engine.isInboundDone()) return "";
    }
  }

  private ByteBuffer unwrap() throws IOException {
    var plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    var result = engine.unwrap(received, plain);
    switch (result.getStatus()) {
      case BUFFER_UNDERFLOW -> {
        received.compact();
        int count = channel.read(received);
        received.flip();
        if (count < 0) throw new IOException("the server has closed the connection");
      }
      case BUFFER_OVERFLOW -> throw new IOException("a record is larger than TLS allows");
      case OK, CLOSED -> {
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK)
          engine.getDelegatedTask().run();
      }
    }
    return plain.flip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
