import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/// Hears requests to their end and answers each that it has done nothing; to those who speak HTTP/2
/// it says nothing.
final class HostileSink implements AutoCloseable {
  private static final byte[] NOTHING =
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final SSLServerSocket door;

  HostileSink() throws Exception {
    var context = SSLContext.getInstance("TLS");
    context.init(keys().getKeyManagers(), null, null);
    this.door =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::accept);
  }

  private static KeyManagerFactory keys() throws Exception {
    var folder = Files.createTempDirectory("sink");
    var file = folder.resolve("key.p12");
    var tool = Path.of(System.getProperty("java.home"), "bin/keytool").toString();
    var made =
        new ProcessBuilder(
                tool,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=sink",
                "-keystore",
                file.toString(),
                "-storepass",
                "nothing")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (made.waitFor() != 0) throw new IllegalStateException("keytool made no key");
    var store = KeyStore.getInstance(file.toFile(), "nothing".toCharArray());
    Files.delete(file);
    Files.delete(folder);
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, "nothing".toCharArray());
    return keys;
  }

  URI url() {
    return URI.create(
        "https://" + door.getInetAddress().getHostAddress() + ":" + door.getLocalPort());
  }

  private void accept() {
    try {
      while (true) {
        var socket = (SSLSocket) door.accept();
        Thread.ofVirtual().start(() -> hear(socket));
      }
    } catch (IOException _) {
      // It is closed.
    }
  }

  private void hear(SSLSocket socket) {
    try (socket) {
      socket.setHandshakeApplicationProtocolSelector(
          (_, offered) -> offered.contains("http/1.1") ? "http/1.1" : offered.getFirst());
      var in = new BufferedInputStream(socket.getInputStream(), 16_384);
      if (!socket.getSession().isValid()) return;
      if ("h2".equals(socket.getApplicationProtocol()))
        in.transferTo(OutputStream.nullOutputStream());
      else answer(in, socket);
    } catch (IOException _) {
      // Who sends has gone.
    }
  }

  private static void answer(InputStream in, SSLSocket socket) throws IOException {
    long length = 0;
    var line = new StringBuilder();
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next == '\r') continue;
      if (next != '\n') {
        line.append((char) next);
        continue;
      }
      if (line.isEmpty()) {
        in.skipNBytes(length);
        length = 0;
        socket.getOutputStream().write(NOTHING);
      }
      var text = line.toString();
      if (text.regionMatches(true, 0, "content-length:", 0, 15))
        length = Long.parseLong(text.substring(15).strip());
      line.setLength(0);
    }
  }

  /// Who is there may stay until he goes.
  @Override
  public void close() throws IOException {
    door.close();
  }
}
