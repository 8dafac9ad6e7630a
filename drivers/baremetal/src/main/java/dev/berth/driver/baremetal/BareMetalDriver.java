package dev.berth.driver.baremetal;

import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.controller.BareMetalVolumes;
import dev.berth.driver.baremetal.controller.CapacityNews;
import dev.berth.driver.baremetal.controller.CapacityUnits;
import dev.berth.driver.baremetal.decide.DriveKeeper;
import dev.berth.driver.baremetal.decide.VolumeKeeper;
import dev.berth.driver.baremetal.discovery.Discovery;
import dev.berth.driver.baremetal.discovery.NodeHeartbeat;
import dev.berth.driver.baremetal.discovery.NodeIdentity;
import dev.berth.driver.baremetal.manager.base.Consent;
import dev.berth.driver.baremetal.node.CapacityWork;
import dev.berth.driver.baremetal.node.DiscoveryFigures;
import dev.berth.driver.baremetal.node.DriveLocks;
import dev.berth.driver.baremetal.node.DriveManagerHealth;
import dev.berth.driver.baremetal.node.DriveWork;
import dev.berth.driver.baremetal.node.HealthFigures;
import dev.berth.driver.baremetal.node.LoopFigures;
import dev.berth.driver.baremetal.node.NodeLooks;
import dev.berth.driver.baremetal.node.NodeVolumes;
import dev.berth.driver.baremetal.node.Pools;
import dev.berth.driver.baremetal.node.Preparation;
import dev.berth.driver.baremetal.node.RegisteredDrives;
import dev.berth.driver.baremetal.node.SharePreparation;
import dev.berth.driver.baremetal.node.VolumeCare;
import dev.berth.driver.baremetal.node.VolumeDevices;
import dev.berth.driver.baremetal.node.VolumeWork;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.driver.baremetal.silence.Heard;
import dev.berth.driver.baremetal.silence.SilenceWork;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.model.UsageSupport.MountGroup;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.Located;
import dev.berth.driver.spi.PluginInfo;
import dev.berth.driver.spi.Readiness;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.time.SystemTime;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Local drives as volumes: `csi-baremetal`. Controller and nodes meet in the API's objects only,
/// in one process or in many.
public final class BareMetalDriver implements Driver, Located, AutoCloseable {
  /// As upstream calls it: its classes and volumes go on.
  public static final String NAME = "csi-baremetal";

  /// BM-05: what upstream waits for a first discovery.
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  private static final Duration SERVED = Duration.ofSeconds(10);
  private static final int LOOK_MILLIS = 50;

  /// What is under way at the end may take so long.
  private static final Duration END = Duration.ofSeconds(20);

  private static final Logger log = LoggerFactory.getLogger(BareMetalDriver.class);
  private final SystemTime time = new SystemTime("baremetal");
  private final PrometheusRegistry counted = new PrometheusRegistry();
  private final LoopMetrics metrics = new LoopMetrics(counted);
  private final List<Object> parts = new ArrayList<>();
  private final List<AutoCloseable> closing = new ArrayList<>();
  private final List<Discovery> discoveries = new ArrayList<>();
  private final List<NodeHeartbeat> heartbeats = new ArrayList<>();

  private BareMetalDriver() {
    parts.add(this);
    parts.add(new LoopFigures(counted));
  }

  /// Returns when the kinds are there and, of a node, its drives have been looked at once.
  ///
  /// @throws IOException if that cannot be, with the reason
  public static BareMetalDriver open(BareMetalOptions options, Api api)
      throws IOException, InterruptedException {
    var driver = new BareMetalDriver();
    try {
      driver.start(options, api);
      return driver;
    } catch (IOException | RuntimeException | InterruptedException e) {
      driver.close();
      throw e;
    }
  }

  private void start(BareMetalOptions options, Api api) throws IOException, InterruptedException {
    closing.add(time);
    BareMetalKinds.install(api);
    awaitServed(api);
    var caches = Caches.of(api, time, kinds(options.services()));
    closing.add(caches);
    if (options.services().contains(Service.CONTROLLER)) startController(api, caches);
    if (options.services().contains(Service.NODE)) startNode(options, api, caches);
    caches.start();
    for (var discovery : discoveries) {
      discovery.start();
      if (!discovery.await(PATIENCE))
        throw new IOException("the drives cannot be looked at: " + discovery.trouble());
    }
    heartbeats.forEach(NodeHeartbeat::start);
  }

  /// BM-170: a node does not care how others are, and there may be many.
  private static List<Kind<?>> kinds(Set<Service> services) {
    var all = new ArrayList<Kind<?>>(BareMetalKinds.ALL);
    if (services.contains(Service.CONTROLLER)) {
      all.addAll(BareMetalVolumes.KINDS);
      all.addAll(CapacityUnits.KINDS);
      all.add(Kinds.NODE);
    } else all.remove(BareMetalKinds.NODE);
    return all;
  }

  /// The server says of new kinds a moment later that it has them.
  private static void awaitServed(Api api) throws InterruptedException {
    long end = SystemTime.nanos() + SERVED.toNanos();
    for (var kind : BareMetalKinds.ALL)
      while (true) {
        try {
          api.list(kind.resource(), "", Selector.ALL);
          break;
        } catch (ApiException refused) {
          boolean mayCome = refused.isNotFound() || refused instanceof ApiException.Unreachable;
          if (!mayCome || SystemTime.nanos() > end) throw refused;
        }
        Thread.sleep(LOOK_MILLIS);
      }
  }

  private void startController(Api api, Caches caches) {
    parts.add(new BareMetalVolumes(caches, time::now, NAME));
    CapacityNews.follow(caches, time, NAME);
    CapacityUnits.follow(caches, time, NAME);
    var heard = new Told<>(Heard.TOPIC);
    var events = new ApiEventRecorder(api, time, NAME + "-controller", "");
    run(
        new Loop<>(
            new Controller<>(
                BareMetalDeciders.of("").silence(),
                new SilenceWork(new Registry(caches.api()), events, heard)),
            caches,
            Sources.of(heard),
            time,
            events,
            Pace.CONTROLLER,
            metrics));
  }

  private void startNode(BareMetalOptions options, Api api, Caches caches) throws IOException {
    var nodeId = NodeIdentity.of(api, options.node());
    var manager = options.drives().open(options.node());
    if (options.drives().equals(new DriveSource.Machine(Consent.NONE)))
      log.warn(
          "no disk of this machine is given to volumes before somebody says so: --disks,"
              + " --all-blank-disks, or berth drives discover and init");
    closing.add(manager);
    manager.heed(new RegisteredDrives(api, nodeId));
    var tools = new FileSystemTools(Tools.ofThisMachine());
    var preparation = new Preparation(tools);
    var locks = new DriveLocks();
    var registry = new Registry(caches.api());
    var pools = new Pools(options.pools(), manager, tools);
    var shares = new SharePreparation(registry, pools, preparation);
    var seen = new Told<>(DriveKeeper.SEEN);
    var discovery = new Discovery(manager, seen);
    discoveries.add(discovery);
    closing.add(discovery);
    var heartbeat = new NodeHeartbeat(api, nodeId, time);
    heartbeats.add(heartbeat);
    closing.add(heartbeat);
    var deciders = BareMetalDeciders.of(nodeId);
    var events = new ApiEventRecorder(api, time, NAME + "-node", options.node());
    run(
        new Loop<>(
            new Controller<>(
                deciders.drives(),
                new DriveWork(
                    registry, manager, shares, preparation, locks, events, discovery::nudge)),
            caches,
            Sources.of(seen),
            time,
            events,
            Pace.CONTROLLER,
            metrics));
    var devices = new VolumeDevices(registry, manager, pools, locks);
    var found = new Told<>(VolumeKeeper.FOUND);
    var care = new VolumeCare(nodeId, caches, devices, found, options.pace());
    var volumes = new NodeVolumes(nodeId, registry, devices, tools, events, care);
    closing.add(care);
    run(
        new Loop<>(
            new Controller<>(
                deciders.volumes(),
                new VolumeWork(
                    registry, manager, shares, preparation, locks, events, discovery::nudge)),
            caches,
            Sources.of(found),
            time,
            events,
            Pace.CONTROLLER,
            metrics));
    run(
        new Loop<>(
            new Controller<>(deciders.capacities(), new CapacityWork(caches.api())),
            caches,
            Sources.NONE,
            time,
            events,
            Pace.CONTROLLER,
            metrics));
    closing.add(preparation::end);
    parts.add(volumes);
    parts.add(new NodeLooks(registry, volumes, care, tools));
    parts.add(new DriveManagerHealth(discovery));
    parts.add(new HealthFigures(nodeId, caches, care));
    parts.add(new DiscoveryFigures(discovery));
  }

  private void run(Loop<?> loop) {
    closing.add(() -> end(loop));
    loop.start();
  }

  /// What runs is awaited, but for what hangs: its effect is repeated by the next driver.
  private static void end(Loop<?> loop) throws InterruptedException, ExecutionException {
    try {
      loop.stop().get(END.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException _) {
      log.warn("{} does not end", loop.name());
    }
  }

  @Override
  public PluginInfo info() {
    var version = BareMetalDriver.class.getPackage().getImplementationVersion();
    return new PluginInfo(NAME, version == null ? "dev" : version);
  }

  /// BM-05: a pass that fails is told; for long enough it makes the process not alive.
  @Override
  public Readiness readiness() {
    for (var discovery : discoveries)
      if (!discovery.alive())
        return new Readiness.Broken("the drives cannot be looked at: " + discovery.trouble());
    return new Readiness.Ready();
  }

  /// BM-22: a drive is in one node.
  @Override
  public UsageSupport usages() {
    var modes =
        Set.of(
            AccessMode.SINGLE_NODE_WRITER,
            AccessMode.SINGLE_NODE_READER_ONLY,
            AccessMode.SINGLE_NODE_SINGLE_WRITER,
            AccessMode.SINGLE_NODE_MULTI_WRITER);
    return new UsageSupport(modes, modes, Set.of("ext4", "xfs", "btrfs"), MountGroup.NOT_SUPPORTED);
  }

  @Override
  public Set<String> topologyKeys() {
    return Set.of(NodeVolumes.TOPOLOGY);
  }

  @Override
  public List<?> parts() {
    return List.copyOf(parts);
  }

  /// Lets go of everything; volumes stay as they are, mounted ones too.
  @Override
  public void close() {
    for (var each : closing.reversed())
      try {
        each.close();
      } catch (Exception e) {
        throw new IllegalStateException("the driver does not end", e);
      }
    closing.clear();
  }
}
