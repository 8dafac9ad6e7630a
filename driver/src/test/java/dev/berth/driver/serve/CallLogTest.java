package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.mount;
import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.DriverServer;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.Readiness;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is told of a call: enough to understand it, and never a secret (SEC-01 to SEC-04, PRA-01,
/// PRA-02).
class CallLogTest {
  private static final String SECRET = "s3cr3t-word";
  private static final Logger LOGGER = Logger.getLogger("dev.berth.driver");

  private final List<String> told = new CopyOnWriteArrayList<>();
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final ToyDriver driver = new ToyDriver();
  private Served served;

  private final Handler ear =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          if (entry.getMessage().startsWith("GetPluginInfo")) waitForReader();
          told.add(entry.getLevel() + " " + entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private volatile CountDownLatch reader = new CountDownLatch(0);

  private void waitForReader() {
    try {
      reader.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @BeforeEach
  void serve() throws IOException {
    ear.setLevel(Level.ALL);
    LOGGER.addHandler(ear);
    LOGGER.setLevel(Level.ALL);
    served = Served.of(driver, DriverServer.Options.all().with(new CallMetrics(registry)));
  }

  @AfterEach
  void end() throws IOException {
    LOGGER.removeHandler(ear);
    LOGGER.setLevel(null);
    served.close();
  }

  @Test
  void aSecretIsToldAtNoLevelWhateverTheDriverSays() {
    driver.hook =
        operation -> {
          if (operation.equals("create"))
            throw new IOException("login as " + SECRET + " failed\nINFO: all is well");
        };
    var wish = wanted("one").putSecrets("user", SECRET);
    wish.getVolumeCapabilitiesBuilder(0).getMountBuilder().addMountFlags("password=" + SECRET);
    assertRefused(Code.UNAVAILABLE, "login as ***stripped*** failed", () -> served.create(wish));
    driver.hook =
        operation -> {
          if (operation.equals("nodePublish"))
            throw Refusal.wrongState("token " + SECRET + " has expired");
        };
    assertRefused(
        Code.FAILED_PRECONDITION,
        "token ***stripped*** has expired",
        () ->
            served
                .node()
                .nodePublishVolume(
                    NodePublishVolumeRequest.newBuilder()
                        .setVolumeId("v")
                        .setStagingTargetPath("/s")
                        .setTargetPath("/t")
                        .setVolumeCapability(mount(Mode.SINGLE_NODE_WRITER))
                        .putVolumeContext("csi.storage.k8s.io/serviceAccount.tokens", SECRET)
                        .build()));

    assertThat(told)
        .anySatisfy(line -> assertThat(line).contains("CreateVolume", "Unavailable", "one"))
        .noneSatisfy(line -> assertThat(line).contains(SECRET))
        .filteredOn(line -> line.startsWith("INFO"))
        .noneSatisfy(line -> assertThat(line).contains("\n"));
  }

  @Test
  void changesAreToldAndQuestionsAreQuiet() {
    served.create(wanted("one"));
    served.identity().probe(ProbeRequest.getDefaultInstance());
    assertThat(told)
        .anySatisfy(line -> assertThat(line).startsWith("INFO CreateVolume #").contains(" OK in "))
        .anySatisfy(line -> assertThat(line).startsWith("FINE Probe #"))
        .noneSatisfy(line -> assertThat(line).startsWith("INFO Probe"));
  }

  @Test
  void aLogThatNobodyReadsHoldsUpNoAnswerFromMemory() {
    reader = new CountDownLatch(1);
    var question = GetPluginInfoRequest.getDefaultInstance();
    // More than there are threads for sockets.
    for (var call = 0; call < 4; call++)
      assertThat(served.identity().getPluginInfo(question).getName()).isEqualTo("toy.example.com");
    reader.countDown();
    await()
        .atMost(Served.PATIENCE)
        .until(() -> told.stream().filter(it -> it.startsWith("FINE GetPluginInfo")).count() == 4);
  }

  @Test
  void whatIsHeldUpIsSeenFromOutside() throws Exception { // CON-09
    var begun = new CountDownLatch(1);
    var mayGoOn = new CountDownLatch(1);
    driver.hook =
        operation -> {
          begun.countDown();
          try {
            mayGoOn.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    var slow =
        CompletableFuture.supplyAsync(
            () -> served.create(wanted("slow")), Thread::startVirtualThread);
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(scraped("berth_driver_held")).containsExactly("CreateVolume 1.0");
    assertThat(scraped("berth_driver_held_longest_seconds"))
        .singleElement()
        .satisfies(it -> assertThat(it).startsWith("CreateVolume "));
    mayGoOn.countDown();
    slow.get(30, TimeUnit.SECONDS);
    assertThat(scraped("berth_driver_held")).isEmpty();
  }

  private List<String> scraped(String metric) {
    return registry.scrape(metric::equals).stream()
        .flatMap(it -> it.getDataPoints().stream())
        .map(it -> it.getLabels().get("operation") + " " + ((GaugeDataPointSnapshot) it).getValue())
        .toList();
  }

  @Test
  void callsAreCountedAsUpstreamCountsThem() { // PRA-02
    served.create(wanted("one"));
    driver.readiness = new Readiness.Broken("the array is away");
    assertRefused(
        Code.FAILED_PRECONDITION,
        "the array is away",
        () -> served.identity().probe(ProbeRequest.getDefaultInstance()));
    var seconds =
        (HistogramSnapshot)
            registry.scrape(name -> name.equals("csi_plugin_operations_seconds")).stream()
                .findFirst()
                .orElseThrow();
    assertThat(seconds.getDataPoints())
        .extracting(it -> it.getLabels().toString())
        .containsExactlyInAnyOrder(
            "{driver_name=\"toy.example.com\",grpc_status_code=\"OK\","
                + "method_name=\"/csi.v1.Controller/CreateVolume\"}",
            "{driver_name=\"toy.example.com\",grpc_status_code=\"FailedPrecondition\","
                + "method_name=\"/csi.v1.Identity/Probe\"}");
  }
}
