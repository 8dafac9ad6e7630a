package dev.berth.driver.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.registration.v1.InfoRequest;
import dev.berth.csi.registration.v1.PluginInfo;
import dev.berth.csi.registration.v1.RegistrationStatus;
import dev.berth.csi.socket.SocketAccess;
import dev.berth.csi.socket.SocketInUseException;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.driver.spi.Readiness;
import dev.berth.driver.testing.ToyDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DriverProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /// A group that this process may give a file to: any, if it is root's.
  private static final String GROUP = isRoot() ? "4711" : ownGroup();

  private final ToyDriver driver = new ToyDriver();
  private Path folder;
  private Path registry;
  private ProcessOptions options;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory("drv");
    registry = Files.createDirectory(folder.resolve("reg"));
    var socket = new SocketPath(folder.resolve("csi.sock"));
    options =
        new ProcessOptions(
            socket,
            new SocketAccess(PosixFilePermissions.fromString("rw-rw----"), Optional.of(GROUP)),
            ProcessOptions.of(socket).services(),
            Optional.of(registry),
            Path.of("/as/the/kubelet/sees/csi.sock"),
            HttpPlaces.at(ANY_PORT));
  }

  @AfterEach
  void removeFolder() throws IOException {
    Files.delete(registry);
    Files.delete(folder);
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static String ownGroup() {
    try {
      return String.valueOf(Files.getAttribute(Path.of("/proc/self"), "unix:gid"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void registersItselfWhileItServes() throws IOException { // REG-01, REG-02, REG-04
    try (var _ = DriverProcess.start(driver, options);
        var agent = CsiConnection.open(registry.resolve("toy.example.com-reg.sock"))) {
      assertThat(agent.registration(PATIENCE).getInfo(InfoRequest.getDefaultInstance()))
          .isEqualTo(
              PluginInfo.newBuilder()
                  .setType("CSIPlugin")
                  .setName("toy.example.com")
                  .setEndpoint("/as/the/kubelet/sees/csi.sock")
                  .addSupportedVersions("1.0.0")
                  .build());
    }
    assertThat(registry).isEmptyDirectory();
    assertThat(options.socket().path()).doesNotExist();
  }

  @Test
  void aRegistryThatIsMisspeltIsNotMade() { // REG-01
    var misspelt = folder.resolve("plugin_registry");
    var wrong =
        new ProcessOptions(
            options.socket(),
            options.access(),
            options.services(),
            Optional.of(misspelt),
            options.kubeletPath(),
            options.http());
    assertThatThrownBy(() -> DriverProcess.start(driver, wrong))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(misspelt + " is no folder");
    assertThat(misspelt).doesNotExist();
    assertThat(options.socket().path()).doesNotExist();
  }

  @Test
  void tellsHowTheDriverIs() throws Exception { // LIV-01, LIV-05
    try (var process = DriverProcess.start(driver, options)) {
      assertThat(get(process, "/healthz").body()).isEqualTo("ok");
      driver.readiness = new Readiness.Starting();
      await()
          .atMost(PATIENCE)
          .until(() -> get(process, "/healthz").body().equals("driver responded but is not ready"));
      assertThat(get(process, "/healthz").statusCode()).isEqualTo(500);
      driver.readiness = new Readiness.Broken("the array is away");
      await()
          .atMost(PATIENCE)
          .until(() -> get(process, "/healthz").body().contains("the array is away"));
      driver.readiness = new Readiness.Ready();
      await().atMost(PATIENCE).until(() -> get(process, "/healthz").statusCode() == 200);
    }
  }

  @Test
  void tellsWhetherTheKubeletCouldFindIt() throws Exception { // REG-05
    try (var process = DriverProcess.start(driver, options)) {
      assertThat(get(process, "/healthz/registration").body()).isEqualTo("ok");
      Files.delete(registry.resolve("toy.example.com-reg.sock"));
      assertThat(get(process, "/healthz/registration"))
          .returns(404, HttpResponse::statusCode)
          .returns("registration socket does not exist", HttpResponse::body);
    }
  }

  @Test
  void isReadyWhenTheKubeletHasTakenIt() throws Exception { // LIV-06, REG-08
    try (var process = DriverProcess.start(driver, options)) {
      assertThat(get(process, "/readyz"))
          .returns(503, HttpResponse::statusCode)
          .satisfies(it ->
              assertThat(it.body()).startsWith("the kubelet has not taken the driver, since "));
      assertThat(get(process, "/metrics").body())
          .contains(registration("shown", 1), registration("accepted", 0));
      notifyAs(true, "");
      await().atMost(PATIENCE).until(() -> get(process, "/readyz").statusCode() == 200);
      assertThat(get(process, "/metrics").body())
          .contains(registration("shown", 0), registration("accepted", 1));
      notifyAs(false, "NodeGetInfo failed");
      await()
          .atMost(PATIENCE)
          .until(() -> get(process, "/readyz").body().contains("NodeGetInfo failed"));
    }
  }

  private static String registration(String state, int value) {
    return "berth_driver_registration{driver_name=\"toy.example.com\",state=\"%s\"} %d"
        .formatted(state, value);
  }

  private void notifyAs(boolean registered, String error) {
    try (var agent = CsiConnection.open(registry.resolve("toy.example.com-reg.sock"))) {
      agent
          .registration(PATIENCE)
          .notifyRegistrationStatus(
              RegistrationStatus.newBuilder()
                  .setPluginRegistered(registered)
                  .setError(error)
                  .build());
    }
  }

  @Test
  void isAliveThoughItIsNotReadyAndUntilItFailsThreeTimes() throws Exception { // LIV-06
    driver.readiness = new Readiness.Starting();
    try (var process = DriverProcess.start(driver, options)) {
      assertThat(get(process, "/readyz").body()).contains("the driver is starting, since ");
      assertThat(get(process, "/livez").body()).isEqualTo("ok");
      driver.readiness = new Readiness.Broken("the array is away");
      await()
          .atMost(PATIENCE)
          .until(() -> get(process, "/healthz").body().contains("the array is away"));
      assertThat(get(process, "/livez").statusCode()).isEqualTo(200);
      await().atMost(PATIENCE).until(() -> get(process, "/livez").statusCode() == 500);
      assertThat(get(process, "/livez").body()).contains("the array is away").contains(", since ");
    }
  }

  @Test
  void showsItsMetrics() throws Exception { // PRA-02
    try (var process = DriverProcess.start(driver, options);
        var client = CsiConnection.open(options.socket().path())) {
      client.identity(PATIENCE).getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
      assertThat(get(process, "/metrics").body())
          .contains(
              "csi_plugin_operations_seconds_count{driver_name=\"toy.example.com\","
                  + "grpc_status_code=\"OK\",method_name=\"/csi.v1.Identity/GetPluginInfo\"} 1");
    }
  }

  @Test
  void whatCannotStartLeavesNothing() throws Exception {
    try (var first = DriverProcess.start(driver, options)) {
      assertThatThrownBy(() -> DriverProcess.start(driver, options))
          .isInstanceOf(SocketInUseException.class);
      var taken =
          new ProcessOptions(
              new SocketPath(folder.resolve("two.sock")),
              options.access(),
              options.services(),
              Optional.empty(),
              folder.resolve("two.sock"),
              HttpPlaces.at(first.health().orElseThrow()));
      assertThatThrownBy(() -> DriverProcess.start(driver, taken)).isInstanceOf(IOException.class);
      assertThat(folder.resolve("two.sock")).doesNotExist();
      assertThat(get(first, "/healthz").body()).isEqualTo("ok");
    }
  }

  @Test
  void metricsMayHaveAPlaceOfTheirOwn() throws Exception { // LIV-03
    // Port 0 twice would be one address.
    var elsewhere = new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0);
    var apart =
        new ProcessOptions(
            options.socket(),
            options.access(),
            options.services(),
            Optional.empty(),
            options.kubeletPath(),
            new HttpPlaces(Optional.of(ANY_PORT), Optional.of(elsewhere), "/numbers"));
    try (var process = DriverProcess.start(driver, apart)) {
      assertThat(get(process, "/numbers").statusCode()).isEqualTo(404);
      var metrics = process.metrics().orElseThrow();
      assertThat(get(metrics, "/numbers").statusCode()).isEqualTo(200);
      assertThat(get(metrics, "/healthz").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void itsSocketIsForThoseWhomTheModeNames() throws IOException { // UDS-07
    try (var _ = DriverProcess.start(driver, options)) {
      assertThat(Files.getPosixFilePermissions(options.socket().path()))
          .isEqualTo(options.access().mode());
      assertThat(Files.getAttribute(options.socket().path(), "unix:gid")).hasToString(GROUP);
    }
  }

  @Test
  void aGroupThatIsNotThereIsNamedAndNothingIsLeft() {
    var wrong =
        new ProcessOptions(
            options.socket(),
            new SocketAccess(options.access().mode(), Optional.of("no-such-group")),
            options.services(),
            Optional.empty(),
            options.kubeletPath(),
            HttpPlaces.nowhere());
    assertThatThrownBy(() -> DriverProcess.start(driver, wrong))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no group no-such-group");
    assertThat(folder).isDirectoryNotContaining(it -> !it.equals(registry));
  }

  private static HttpResponse<String> get(DriverProcess process, String path) throws Exception {
    return get(process.health().orElseThrow(), path);
  }

  private static HttpResponse<String> get(InetSocketAddress address, String path) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(
                  URI.create(
                      "http://%s:%d%s"
                          .formatted(
                              address.getAddress().getHostAddress(), address.getPort(), path)))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void aProcessSaysWhenItServesAndWhenItHasEnded() throws Exception {
    try (var child = DriverChild.start(folder, Map.of())) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(() ->
              assertThat(child.told())
                  .contains(
                      "toy: serving toy.example.com on unix://%s until SIGTERM\n"
                          .formatted(folder.resolve("csi.sock"))));
      assertThat(child.end().waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(child.told()).endsWith("toy: ended as it was told to\n");
    }
  }
}
