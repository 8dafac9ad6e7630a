package dev.berth.node.runtime.cri;

import dev.berth.csi.socket.SocketPath;
import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.Container;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ExecSpec;
import dev.berth.node.runtime.Execution;
import dev.berth.node.runtime.ImageRequest;
import dev.berth.node.runtime.LogFormat;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.StreamRequest;
import dev.berth.node.runtime.cri.Containers.Entry;
import dev.berth.node.runtime.cri.v1.CreateContainerRequest;
import dev.berth.node.runtime.cri.v1.StartContainerRequest;
import dev.berth.node.runtime.cri.v1.StatusRequest;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Containers of an engine behind a socket, as a kubelet has them. Nothing is remembered here: what
/// was made is found again by its labels. A start that was cut off leaves a sandbox, or a container
/// that was made and not started; the next start of it takes the one and replaces the other, and
/// [#removePod] removes both.
public final class CriRuntime implements ContainerRuntime {
  private static final Logger log = LoggerFactory.getLogger(CriRuntime.class);

  /// Of a container's own time to end the agent is the judge.
  private static final Duration UNTIL_KILLED = Duration.ofDays(365);

  /// Who does not answer in this time would not for minutes, as the kernel has it.
  private static final int CONNECTING_MILLIS = 10_000;

  private static final Duration SETTLING = Duration.ofSeconds(30);

  /// What an engine does of a pod's text, and the built-in runtime does not.
  private static final Set<String> ENFORCED =
      Set.of(
          "dnsConfig",
          "imagePullPolicy",
          "runtimeClassName",
          "stdin",
          "tty",
          "shareProcessNamespace",
          "hostPID",
          "hostIPC",
          "resources.limits",
          "securityContext.appArmorProfile",
          "securityContext.capabilities",
          "securityContext.procMount",
          "securityContext.seccompProfile");

  private final CriConnection engine;
  private final Owner owner;
  private final Sandboxes sandboxes;
  private final Containers containers;
  private final Images images;
  private final ContainerConfigs configs;
  private final Ends ends;
  private final LastWords lastWords;
  private final PodLocks pods = new PodLocks();

  private final PodAddresses addresses = new PodAddresses();

  private CriRuntime(Layout layout, CriConnection engine) {
    this.engine = engine;
    this.owner = new Owner(layout);
    this.sandboxes = new Sandboxes(engine, owner);
    this.containers = new Containers(engine, owner);
    this.images = new Images(engine, Instant::now);
    this.configs =
        new ContainerConfigs(layout.root().resolve("seccomp"), canMakeTreesReadOnly(engine));
    this.ends = new Ends(engine, containers);
    this.lastWords = new LastWords(layout);
  }

  /// Finds the containers of an earlier process.
  ///
  /// @param layout below whose root pods have their directories; only containers of its pods are
  ///   ours
  /// @throws CriException if the engine does not answer, or speaks no version that we do
  public static CriRuntime open(Layout layout, SocketPath socket) {
    var engine = new CriConnection(socket);
    try {
      CriEngine.of(engine);
      var runtime = new CriRuntime(layout, engine);
      runtime.containers.all().forEach(runtime::adopt);
      return runtime;
    } catch (RuntimeException failed) {
      engine.close();
      throw failed;
    }
  }

  private static boolean canMakeTreesReadOnly(CriConnection engine) {
    return engine
        .runtime(
            "ask the container engine for its status",
            stub -> stub.status(StatusRequest.getDefaultInstance()))
        .getRuntimeHandlersList()
        .stream()
        .anyMatch(it -> it.getName().isEmpty() && it.getFeatures().getRecursiveReadOnlyMounts());
  }

  private void adopt(Entry entry) {
    if (containers.state(entry.key()).filter(ContainerState.Running.class::isInstance).isPresent())
      ends.watch(entry);
  }

  @Override
  public void listen(EndListener listener) {
    ends.listen(listener);
  }

  @Override
  public void requireImage(String image) throws RefusedException {
    obtainImage(new ImageRequest("", image, ImageRequest.Policy.NEVER, List::of));
  }

  @Override
  public void obtainImage(ImageRequest image) throws RefusedException {
    try {
      images.obtain(image);
    } catch (CriException unanswered) {
      throw refused(Reason.ERR_IMAGE_PULL, unanswered);
    }
  }

  @Override
  public Set<String> enforced() {
    return ENFORCED;
  }

  @Override
  public Container start(ContainerSpec spec) throws RefusedException {
    try (var _ = pods.hold(spec.id().podUid())) {
      var present = containers.find(spec.id());
      if (present.isPresent()) {
        var shown = containers.shown(spec.id(), present.get().key());
        if (shown.isPresent()) return shown.get();
        containers.remove(present.get().key()); // of a start that was cut off
      }
      var user = ImageUser.check(spec, images);
      return make(spec, user);
    }
  }

  private Container make(ContainerSpec spec, ImageUser user) throws RefusedException {
    var config = configs.of(spec, owner.containerLabels(spec), lastWords.file(spec.id()));
    var sandbox = sandboxes.ready(spec);
    addresses.forget(spec.id().podUid()); // it may be a new one
    String key;
    try {
      lastWords.make(spec.id());
      var request =
          CreateContainerRequest.newBuilder()
              .setPodSandboxId(sandbox.id())
              .setSandboxConfig(sandbox.config())
              .setConfig(user.in(config))
              .build();
      key =
          engine
              .runtime(
                  "create container " + spec.id().name(), stub -> stub.createContainer(request))
              .getContainerId();
    } catch (CriException | IOException failed) {
      throw refused(Reason.CREATE_CONTAINER_ERROR, failed);
    }
    var entry = new Entry(spec.id(), key, sandbox.id());
    try {
      engine.runtime(
          "start container " + spec.id().name(),
          stub ->
              stub.startContainer(StartContainerRequest.newBuilder().setContainerId(key).build()));
    } catch (CriException failed) {
      // Whether it runs is not known of one that did not answer: the next start looks.
      if (containers.state(key).isEmpty()) containers.remove(key);
      throw refused(Reason.RUN_CONTAINER_ERROR, failed);
    }
    ends.watch(entry);
    return containers
        .shown(spec.id(), key)
        .orElseThrow(() -> new IllegalStateException(spec.id() + " started without a trace"));
  }

  private static RefusedException refused(Reason reason, Exception why) {
    return new RefusedException(reason, String.valueOf(why.getMessage()), why);
  }

  @Override
  public List<Container> list() {
    return containers.all().stream()
        .flatMap(entry -> containers.shown(entry.id(), entry.key()).stream())
        .toList();
  }

  @Override
  public Optional<Container> find(ContainerId id) {
    return containers.find(id).flatMap(entry -> containers.shown(id, entry.key()));
  }

  @Override
  public Set<String> pods() {
    return sandboxes.pods();
  }

  @Override
  public Execution exec(ContainerId id, ExecSpec spec) throws RefusedException {
    if (spec.terminal() == ExecSpec.Terminal.OWN)
      throw new RefusedException(
          Reason.RUN_CONTAINER_ERROR,
          "no terminals are had in containers of a container engine yet; leave out -t");
    return new CriExecution(engine, running(id), spec.command());
  }

  private String running(ContainerId id) throws RefusedException {
    return containers
        .find(id)
        .map(Entry::key)
        .filter(key ->
            containers.state(key).filter(ContainerState.Running.class::isInstance).isPresent())
        .orElseThrow(() ->
            new RefusedException(
                Reason.RUN_CONTAINER_ERROR, "container \"" + id.name() + "\" is not running"));
  }

  @Override
  public Optional<URI> carrier(StreamRequest request) throws RefusedException {
    var carriers = new Carriers(engine);
    try {
      return Optional.of(
          switch (request) {
            case StreamRequest.Exec exec -> carriers.exec(running(exec.container()), exec);
            case StreamRequest.Attach(var id, var streams) -> carriers.attach(running(id), streams);
            case StreamRequest.Ports(var podUid) ->
                carriers.ports(
                    sandboxes
                        .find(podUid)
                        .orElseThrow(() ->
                            new RefusedException(
                                Reason.RUN_CONTAINER_ERROR, "nothing of the pod runs here")));
          });
    } catch (CriException refused) {
      throw refused(Reason.RUN_CONTAINER_ERROR, refused);
    }
  }

  @Override
  public LogFormat logFormat() {
    return LogFormat.CRI;
  }

  /// In a network of its own a pod is not behind the machine's loopback, where others listen. The
  /// engine is asked once for each sandbox: probes go on while it is away.
  ///
  /// @throws CriException if the engine would have to be asked and does not answer
  @Override
  public SocketChannel connect(String podUid, int port) throws IOException {
    var address = addresses.of(podUid, () -> sandboxes.address(podUid));
    var channel = SocketChannel.open();
    try {
      channel.socket().connect(new InetSocketAddress(address, port), CONNECTING_MILLIS);
      return channel;
    } catch (IOException nobody) {
      channel.close();
      addresses.forget(podUid); // perhaps that of a sandbox that went down meanwhile
      throw nobody;
    }
  }

  /// An engine that is asked so would wait for the end, and is not waited for.
  @Override
  public void terminate(ContainerId id) {
    var entry = containers.find(id);
    if (entry.isEmpty()) return;
    Thread.startVirtualThread(() -> {
      try {
        containers.stop(entry.get().key(), UNTIL_KILLED, SETTLING);
      } catch (CriException failed) {
        log.debug("container {} was asked to end: {}", id, failed.getMessage());
      }
    });
  }

  @Override
  public void kill(ContainerId id) throws StillRunningException {
    var entry = containers.find(id);
    if (entry.isEmpty()) return;
    var state = containers.state(entry.get().key());
    if (state.filter(ContainerState.Running.class::isInstance).isEmpty()) return;
    try {
      containers.stop(entry.get().key(), Duration.ZERO, SETTLING);
    } catch (CriException failed) {
      if (failed.code() == Status.Code.DEADLINE_EXCEEDED) throw new StillRunningException(id);
      throw failed;
    }
  }

  @Override
  public void remove(ContainerId id) throws StillRunningException {
    kill(id);
    try (var _ = pods.hold(id.podUid())) {
      var entry = containers.find(id);
      if (entry.isPresent()) {
        ends.forget(entry.get().key());
        containers.remove(entry.get().key());
      }
      lastWords.remove(id);
    }
  }

  @Override
  public void stopPod(String podUid) {
    try (var _ = pods.hold(podUid)) {
      sandboxes.stop(podUid);
    }
  }

  @Override
  public void removePod(String podUid) {
    try (var _ = pods.hold(podUid)) {
      sandboxes.remove(podUid);
    }
    images.forget(podUid);
    addresses.forget(podUid);
  }

  @Override
  public String terminationMessage(ContainerId id) {
    return lastWords.read(id);
  }

  /// What the engine says of itself, as `containerd://1.6.20` for the Node.
  public String version() {
    return CriEngine.of(engine).toString();
  }

  @Override
  public void close() {
    ends.close();
    engine.close();
  }
}
