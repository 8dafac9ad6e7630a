package dev.berth.csi.registrar;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.registration.v1.InfoRequest;
import dev.berth.csi.registration.v1.PluginInfo;
import dev.berth.csi.registration.v1.RegistrationGrpc;
import dev.berth.csi.registration.v1.RegistrationStatus;
import dev.berth.csi.registration.v1.RegistrationStatusResponse;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Registers one driver with the node agent of its machine, as kubernetes-csi/node-driver-registrar
/// does: by serving a socket in the agent's folder, where the agent finds it, asks for name and
/// endpoint, and tells what came of it.
///
/// Upstream ends its process when the agent refuses, so that the container starts again. Here the
/// socket is shown anew after a pause, which to the agent is the same, unless somebody else sees to
/// refusals (REG-03).
public final class Registrar implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Registrar.class);

  /// How long upstream's own question to its socket may take, if nobody says otherwise.
  private static final Duration ANSWER = Duration.ofSeconds(1);

  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration SILENCE = Duration.ofSeconds(60);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(122);

  private final String driver;
  private final SocketPath socket;
  private final PluginInfo info;
  private final Optional<Consumer<String>> whenRefused;

  // Guarded by this.
  private Registration registration = new Registration.Hidden();
  private Optional<SocketServer> server = Optional.empty();
  private Optional<Thread> timer = Optional.empty();
  private int refusals;
  private boolean closed;

  /// @param driver its name
  /// @param folder where the node agent looks for sockets: `ROOT/plugins_registry`
  /// @param endpoint the driver's own socket, as the node agent reaches it
  public Registrar(String driver, Path folder, String endpoint) {
    this(driver, folder, endpoint, Optional.empty());
  }

  /// One that leaves it to others what follows a refusal: the socket stays as it is.
  ///
  /// @param endpoint told as it stands, whatever it is
  /// @param whenRefused gets the node agent's words; must not block
  public Registrar(String driver, Path folder, String endpoint, Consumer<String> whenRefused) {
    this(driver, folder, endpoint, Optional.of(whenRefused));
  }

  private Registrar(
      String driver, Path folder, String endpoint, Optional<Consumer<String>> whenRefused) {
    this.driver = driver;
    this.whenRefused = whenRefused;
    socket = new SocketPath(folder.resolve(driver + "-reg.sock"));
    info =
        PluginInfo.newBuilder()
            .setType("CSIPlugin")
            .setName(driver)
            .setEndpoint(endpoint)
            .addSupportedVersions("1.0.0")
            .build();
  }

  /// Shows the socket.
  ///
  /// @throws IOException if its place is taken by something that is not a dead socket (REG-01)
  public synchronized void start() throws IOException {
    if (closed) throw new IllegalStateException("the registrar of " + driver + " is closed");
    server =
        Optional.of(
            SocketServer.start(
                socket, Takeover.ALWAYS, List.of(new Answers().bindService()), List.of()));
    registration = new Registration.Shown(Instant.now());
    timer = Optional.of(after(SILENCE, this::complain));
  }

  public synchronized Registration registration() {
    return registration;
  }

  /// Tries what a node agent would do, over a new connection.
  public Reach reach() {
    return reach(ANSWER);
  }

  /// Tries what a node agent would do, over a new connection.
  ///
  /// @param patience how long the answer may take
  public Reach reach(Duration patience) {
    if (!Files.exists(socket.path(), LinkOption.NOFOLLOW_LINKS)) return new Reach.Missing();
    try (var connection = CsiConnection.open(socket.path())) {
      var name =
          connection.registration(patience).getInfo(InfoRequest.getDefaultInstance()).getName();
      return name.equals(driver)
          ? new Reach.Answers()
          : new Reach.Failing("%s answers for %s".formatted(socket, name));
    } catch (CsiException failure) {
      return new Reach.Failing(failure.getMessage());
    }
  }

  /// Where it shows itself.
  public Path socket() {
    return socket.path();
  }

  /// Removes the socket; the node agent then forgets the driver (REG-04).
  @Override
  public synchronized void close() {
    closed = true;
    hide();
  }

  private void hide() {
    stopTimer();
    server.ifPresent(shown -> shown.stop(GRACE));
    server = Optional.empty();
    registration = new Registration.Hidden();
  }

  /// REG-08: otherwise nobody would notice.
  private synchronized void complain() {
    if (registration instanceof Registration.Shown)
      log.warn(
          "{}: the node agent has not called {} for {} s", driver, socket, SILENCE.toSeconds());
  }

  private synchronized void accepted() {
    refusals = 0;
    registration = new Registration.Accepted(Instant.now());
    log.info("{} is registered with the node agent", driver);
  }

  private synchronized void refused(String why) {
    if (closed) return;
    registration = new Registration.Refused(Instant.now(), why);
    if (whenRefused.isPresent()) {
      whenRefused.get().accept(why);
      return;
    }
    var pause = pause(refusals++);
    log.warn("{}: the node agent refused: {}; again in {}", driver, why, pause);
    stopTimer();
    timer = Optional.of(after(pause, this::showAnew));
  }

  private synchronized void showAnew() {
    if (closed) return;
    timer = Optional.empty(); // it is the one that runs this
    hide();
    try {
      start();
    } catch (IOException failure) {
      refused("cannot serve %s: %s".formatted(socket, failure.getMessage()));
    }
  }

  /// Twice as long after each refusal, up to what the node agent waits itself.
  private static Duration pause(int refusals) {
    var pause = FIRST_PAUSE.multipliedBy(1L << Math.min(refusals, 8));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  private static Thread after(Duration pause, Runnable action) {
    return Thread.ofVirtual()
        .name("registrar")
        .start(() -> {
          try {
            Thread.sleep(pause);
            action.run();
          } catch (InterruptedException _) {
            // Something else came first.
          }
        });
  }

  private void stopTimer() {
    timer.ifPresent(Thread::interrupt);
    timer = Optional.empty();
  }

  private final class Answers extends RegistrationGrpc.RegistrationImplBase {
    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> answer) {
      answer.onNext(info);
      answer.onCompleted();
    }

    @Override
    public void notifyRegistrationStatus(
        RegistrationStatus status, StreamObserver<RegistrationStatusResponse> answer) {
      answer.onNext(RegistrationStatusResponse.getDefaultInstance());
      answer.onCompleted();
      if (status.getPluginRegistered()) accepted();
      else refused(status.getError());
    }
  }
}
