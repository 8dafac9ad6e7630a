package dev.berth.apiserver.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/// A client greets a server over a real socket.
///
/// @param server what the server showed to the client
/// @param client what the client showed to the server; empty: nothing
record Handshake(X509Certificate server, Optional<X509Certificate> client) {
  /// @param address where the client believes the server to be
  static Handshake between(SSLContext client, SSLContext server, InetAddress address)
      throws IOException {
    try (var listening = listen(server, address)) {
      var accepted = CompletableFuture.supplyAsync(() -> accept(listening));
      try (var socket = connect(client, listening)) {
        socket.startHandshake();
        if (socket.getInputStream().read() != 1) throw new IOException("no greeting");
        var shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
        return new Handshake(shown, accepted.join());
      }
    }
  }

  private static SSLServerSocket listen(SSLContext server, InetAddress address) throws IOException {
    var socket =
        (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0, 1, address);
    socket.setWantClientAuth(true);
    return socket;
  }

  private static SSLSocket connect(SSLContext client, SSLServerSocket server) throws IOException {
    var socket =
        (SSLSocket)
            client.getSocketFactory().createSocket(server.getInetAddress(), server.getLocalPort());
    var parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    return socket;
  }

  private static Optional<X509Certificate> accept(SSLServerSocket listening) {
    try (var socket = (SSLSocket) listening.accept()) {
      socket.getOutputStream().write(1);
      return Optional.of((X509Certificate) socket.getSession().getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException anonymous) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
