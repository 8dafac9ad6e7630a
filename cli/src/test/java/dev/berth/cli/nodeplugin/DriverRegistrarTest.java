package dev.berth.cli.nodeplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.registration.v1.PluginInfo;
import dev.berth.csi.socket.SocketInUseException;
import dev.berth.csi.socket.SocketPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A registrar between a driver and a kubelet.
class DriverRegistrarTest {
  private static final String NAME = "d.example";
  private static final String KUBELET_PATH = "unix:///var/lib/kubelet/plugins/d.example//csi.sock";

  @TempDir Path folder;

  private Path registry;
  private Kubelet kubelet;
  private ScriptedDriver driver;

  @BeforeEach
  void serve() throws IOException {
    registry = Files.createDirectory(folder.resolve("r"));
    kubelet = new Kubelet(registry);
    driver = ScriptedDriver.at(socket());
  }

  @AfterEach
  void end() {
    driver.close();
  }

  private Path socket() {
    return folder.resolve("csi.sock");
  }

  private DriverRegistrar.Options options(boolean profiling) {
    return new DriverRegistrar.Options(
        new SocketPath(socket()),
        KUBELET_PATH,
        registry,
        Duration.ofSeconds(20),
        Optional.of(Asked.anyPort()),
        profiling);
  }

  private DriverRegistrar registrar() throws IOException, InterruptedException {
    return DriverRegistrar.start(options(false));
  }

  @Test
  void theKubeletIsToldJustWhatTheOperatorWrote() throws Exception { // REG-02
    try (var _ = registrar()) {
      assertThat(kubelet.info(NAME))
          .isEqualTo(
              PluginInfo.newBuilder()
                  .setType("CSIPlugin")
                  .setName(NAME)
                  .setEndpoint(KUBELET_PATH)
                  .addSupportedVersions("1.0.0")
                  .build());
    }
    assertThat(registry).isEmptyDirectory(); // REG-04
  }

  @Test
  void aRefusalIsTheEndOfIt() throws Exception { // REG-03
    try (var registrar = registrar()) {
      var before = kubelet.identity(NAME);
      kubelet.answers(NAME, true, "");
      assertThat(registrar.failed()).isNotDone();
      kubelet.answers(NAME, false, "node id is empty");
      assertThat(registrar.failed().get(1, TimeUnit.MINUTES))
          .isEqualTo("the kubelet refused d.example: node id is empty");
      assertThat(kubelet.identity(NAME)).isEqualTo(before);
    }
  }

  @Test
  void itSaysWhetherTheKubeletCanReachIt() throws Exception { // REG-05
    try (var registrar = registrar()) {
      var address = registrar.address().orElseThrow();
      assertThat(Asked.at(address, "/healthz")).isEqualTo(Asked.OK);
      assertThat(Asked.at(address, "/debug/pprof/").status()).isEqualTo(404);
      Files.delete(kubelet.socket(NAME));
      assertThat(Asked.at(address, "/healthz"))
          .isEqualTo(new Asked(404, "registration socket does not exist"));
      Files.writeString(kubelet.socket(NAME), "no socket");
      assertThat(Asked.at(address, "/healthz").status()).isEqualTo(500);
      Files.delete(kubelet.socket(NAME));
    }
  }

  @Test
  void itShowsWhatItDoesIfItIsAskedTo() throws Exception { // REG-05
    try (var registrar = DriverRegistrar.start(options(true))) {
      var address = registrar.address().orElseThrow();
      assertThat(Asked.at(address, "/debug/pprof/").status()).isEqualTo(200);
      assertThat(Asked.at(address, "/debug/pprof/goroutine").text()).contains("RUNNABLE");
    }
  }

  @Test
  void anotherFileInItsPlaceIsAnError() throws Exception { // REG-01
    Files.writeString(kubelet.socket(NAME), "mine");
    assertThatThrownBy(this::registrar).isInstanceOf(SocketInUseException.class);
    assertThat(kubelet.socket(NAME)).hasContent("mine");
  }

  @Test
  void aRegistryThatIsNotThereIsAnError() { // REG-01: not made, the kubelet would not look there
    var absent = folder.resolve("absent");
    var options =
        new DriverRegistrar.Options(
            new SocketPath(socket()),
            KUBELET_PATH,
            absent,
            Duration.ofSeconds(20),
            Optional.empty(),
            false);
    assertThatThrownBy(() -> DriverRegistrar.start(options))
        .hasMessageContaining("plugins_registry");
    assertThat(absent).doesNotExist();
  }

  @Test
  void aDriverThatDoesNotSayItsNameInTimeIsAnError() { // REG-07
    driver.gate = new CountDownLatch(1);
    var options =
        new DriverRegistrar.Options(
            new SocketPath(socket()),
            KUBELET_PATH,
            registry,
            Duration.ofMillis(200),
            Optional.empty(),
            false);
    assertThatThrownBy(() -> DriverRegistrar.start(options))
        .isInstanceOf(CsiException.class)
        .hasMessageContaining("DeadlineExceeded");
    assertThat(registry).isEmptyDirectory();
  }

  private Child child() throws IOException {
    var child = Child.start(folder, socket(), registry);
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> kubelet.sees(NAME) || !child.process().isAlive());
    return child;
  }

  @Test
  void toldToEndItEndsWellAndTakesItsSocketAlong() throws Exception { // REG-04
    try (var child = child()) {
      child.process().destroy(); // SIGTERM
      assertThat(child.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(child.process().exitValue()).isZero();
      assertThat(registry).isEmptyDirectory();
    }
  }

  @Test
  void toldToEndBeforeTheDriverSaysItsNameItEndsWell() throws Exception { // REG-04
    driver.gate = new CountDownLatch(1);
    try (var child = Child.start(folder, socket(), registry)) {
      await().atMost(Duration.ofMinutes(1)).until(() -> driver.calls.get() > 0);
      child.process().destroy();
      assertThat(child.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(child.process().exitValue()).isZero();
      assertThat(registry).isEmptyDirectory();
    }
  }

  @Test
  void refusedItsProcessEndsBadly() throws Exception { // REG-03
    try (var child = child()) {
      kubelet.answers(NAME, false, "node id is empty");
      assertThat(child.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(child.process().exitValue()).isEqualTo(1);
      assertThat(child.told()).contains("the kubelet refused d.example: node id is empty");
    }
  }
}
