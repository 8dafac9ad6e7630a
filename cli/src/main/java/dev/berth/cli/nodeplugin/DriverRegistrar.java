package dev.berth.cli.nodeplugin;

import dev.berth.cli.Problem;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.registrar.Registrar;
import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.process.RegistrationText;
import dev.berth.driver.process.TextEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Registers one driver with the kubelet as kubernetes-csi/node-driver-registrar does, process and
/// all: a refusal ends it, so that its container starts again (REG-03).
public final class DriverRegistrar implements AutoCloseable, UntilTold.Served {
  private static final Logger log = LoggerFactory.getLogger(DriverRegistrar.class);

  /// How long upstream waits for a driver to be there.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Registrar registrar;
  private final Optional<TextEndpoint> http;
  private final CompletableFuture<String> refusal;

  private DriverRegistrar(
      Registrar registrar, Optional<TextEndpoint> http, CompletableFuture<String> refusal) {
    this.registrar = registrar;
    this.http = http;
    this.refusal = refusal;
  }

  /// @param driver its socket, as this process reaches it
  /// @param kubeletPath its socket, as the kubelet is told of it
  /// @param registry folder in which the kubelet looks for sockets
  /// @param timeout how long the driver may take to say its name
  /// @param http where `/healthz` is; empty: nowhere
  /// @param profiling whether `/debug/pprof/` is there too
  public record Options(
      SocketPath driver,
      String kubeletPath,
      Path registry,
      Duration timeout,
      Optional<InetSocketAddress> http,
      boolean profiling) {}

  /// Serves until the process is told to end, or the kubelet refuses: does not return.
  ///
  /// @throws Problem if the kubelet refuses, the driver does not come or say its name, or the
  ///   registration socket or the address cannot be had
  public static int run(Options options) throws InterruptedException {
    return UntilTold.serve(() -> start(options));
  }

  /// Returns when the socket is there (REG-01, REG-07).
  ///
  /// @throws IOException if the registration socket or the address cannot be had
  /// @throws CsiException if the driver does not come, or does not say its name
  public static DriverRegistrar start(Options options) throws IOException, InterruptedException {
    var driver =
        new DriverName(
                options.driver(), Optional.of(PATIENCE), options.timeout(), (code, took) -> {})
            .ask();
    if (!Files.isDirectory(options.registry()))
      throw new IOException(
          "%s is no folder; mount the kubelet's plugins_registry there"
              .formatted(options.registry()));
    var refusal = new CompletableFuture<String>();
    var registrar =
        new Registrar(
            driver,
            options.registry(),
            options.kubeletPath(),
            why -> refusal.complete("the kubelet refused %s: %s".formatted(driver, why)));
    registrar.start();
    log.info("{} is shown to the kubelet at {}", driver, registrar.socket());
    try {
      return new DriverRegistrar(registrar, http(options, registrar), refusal);
    } catch (IOException | RuntimeException e) {
      registrar.close();
      throw e;
    }
  }

  private static Optional<TextEndpoint> http(Options options, Registrar registrar)
      throws IOException {
    if (options.http().isEmpty()) return Optional.empty();
    var endpoint = new TextEndpoint(options.http().get());
    endpoint.serve("/healthz", () -> RegistrationText.of(registrar.reach(options.timeout())));
    if (options.profiling()) Profiling.serve(endpoint);
    return Optional.of(endpoint);
  }

  /// Done when the kubelet has refused the driver, with what to say.
  @Override
  public CompletableFuture<String> failed() {
    return refusal;
  }

  /// Where `/healthz` is.
  Optional<InetSocketAddress> address() {
    return http.map(TextEndpoint::address);
  }

  /// The kubelet forgets the driver (REG-04).
  @Override
  public void close() {
    registrar.close();
    http.ifPresent(TextEndpoint::close);
  }
}
