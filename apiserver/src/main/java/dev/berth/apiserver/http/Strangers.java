package dev.berth.apiserver.http;

import java.security.cert.Certificate;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.util.thread.Scheduler;

/// Connections whose client has not shown yet who it is. There may be so many of them at each
/// stage, and each may stay there for so long; the oldest of a stage makes room for a new one.
///
/// So whoever has credentials always gets in, however many others stand at the door: a connection
/// is nobody's stranger from the moment at which a credential is seen on it.
final class Strangers implements Connection.Listener, SslHandshakeListener {
  /// How far a stranger has come.
  enum Stage {
    /// Shakes hands, or does not even do that.
    HANDSHAKE,
    /// Speaks TLS, and has not sent the head of a request.
    SILENT,
    /// Has asked without a credential.
    ANONYMOUS
  }

  /// What strangers may do.
  ///
  /// @param most so many at one stage
  /// @param patience so long at one stage; of those who ask, since they last did
  record Limits(Map<Stage, Integer> most, Map<Stage, Duration> patience) {
    /// All of them together take a fifth of the descriptors that a process has at least in common
    /// distributions, and a tenth of its memory.
    static final Limits DEFAULT =
        new Limits(
            Map.of(Stage.HANDSHAKE, 2_000, Stage.SILENT, 1_000, Stage.ANONYMOUS, 500),
            Map.of(
                Stage.HANDSHAKE,
                Duration.ofSeconds(10),
                Stage.SILENT,
                Duration.ofSeconds(10),
                Stage.ANONYMOUS,
                Duration.ofSeconds(60)));

    Limits {
      most = Map.copyOf(most);
      patience = Map.copyOf(patience);
    }
  }

  private final Limits limits;
  private final Scheduler scheduler;
  private final Map<Stage, SequencedMap<EndPoint, Scheduler.Task>> stages =
      new EnumMap<>(Stage.class);

  Strangers(Limits limits, Scheduler scheduler) {
    this.limits = limits;
    this.scheduler = scheduler;
    for (var stage : Stage.values()) stages.put(stage, new LinkedHashMap<>());
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof SslConnection tls) enter(Stage.HANDSHAKE, tls.getEndPoint());
  }

  @Override
  public void onClosed(Connection connection) {
    if (connection instanceof SslConnection tls) leave(tls.getEndPoint());
  }

  @Override
  public void handshakeSucceeded(Event event) {
    var socket = socket(event.getEndPoint());
    if (showsCertificate(event.getSSLEngine().getSession())) leave(socket);
    else proceed(Stage.SILENT, socket);
  }

  private static boolean showsCertificate(SSLSession session) {
    try {
      Certificate[] chain = session.getPeerCertificates();
      return chain.length > 0;
    } catch (SSLPeerUnverifiedException none) {
      return false;
    }
  }

  /// A request has come over a connection, with a credential that we know.
  void known(EndPoint connection) {
    leave(socket(connection));
  }

  /// A request has come over a connection, without a credential that we know.
  void anonymous(EndPoint connection) {
    proceed(Stage.ANONYMOUS, socket(connection));
  }

  /// A stranger is at another stage. Who is known stays known: he may have agreed on new keys, or
  /// have shown a credential a moment ago, in a request beside this one.
  private void proceed(Stage stage, EndPoint socket) {
    Optional<EndPoint> oldest;
    synchronized (this) {
      if (!leave(socket)) return;
      oldest = note(stage, socket);
    }
    close(oldest, socket);
  }

  private void enter(Stage stage, EndPoint socket) {
    close(note(stage, socket), socket);
  }

  private void close(Optional<EndPoint> oldest, EndPoint noted) {
    oldest.ifPresent(EndPoint::close);
    if (!noted.isOpen()) leave(noted); // was closed before it was noted
  }

  /// @return who has to go for it
  private synchronized Optional<EndPoint> note(Stage stage, EndPoint socket) {
    var here = at(stage);
    var patience = limits.patience().getOrDefault(stage, Duration.ZERO);
    var alarm =
        scheduler.schedule(
            () -> {
              if (leave(socket)) socket.close();
            },
            patience.toMillis(),
            TimeUnit.MILLISECONDS);
    here.put(socket, alarm);
    if (here.size() <= limits.most().getOrDefault(stage, 0)) return Optional.empty();
    var oldest = here.pollFirstEntry();
    oldest.getValue().cancel();
    return Optional.of(oldest.getKey());
  }

  /// @return whether it was a stranger
  private synchronized boolean leave(EndPoint socket) {
    for (var stage : stages.values()) {
      var alarm = stage.remove(socket);
      if (alarm == null) continue;
      alarm.cancel();
      return true;
    }
    return false;
  }

  private SequencedMap<EndPoint, Scheduler.Task> at(Stage stage) {
    var here = stages.get(stage);
    if (here == null) throw new IllegalStateException("there is no stage " + stage);
    return here;
  }

  /// The socket below TLS, which is the same at all stages.
  private static EndPoint socket(EndPoint connection) {
    return connection instanceof EndPoint.Wrapper wrapper ? socket(wrapper.unwrap()) : connection;
  }
}
