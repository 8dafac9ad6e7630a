package dev.berth.node.runtime.host;

import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.linux.file.DeviceNode;
import dev.berth.linux.file.Rooted;
import dev.berth.linux.launch.Launcher;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.namespace.NamespaceThread;
import dev.berth.linux.process.ProcessIdentity;
import dev.berth.linux.sys.LinuxException;
import dev.berth.node.image.ImageWatch;
import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.Container;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ExecSpec;
import dev.berth.node.runtime.Execution;
import dev.berth.node.runtime.ImageRequest;
import dev.berth.node.runtime.Images;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.host.ContainerFolder.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Containers as processes of this machine in name spaces of their own, with an image that was
/// imported, or the machine's own root file system, below a layer of changes.
///
/// A container is held by a shim, a small shell script outside of it that does not depend on this
/// process and writes down how the container ended. The order of a start makes every moment safe to
/// be killed in:
///
/// 1. The folder is made, and the root mounted in the name space of a thread. Killed here: thread
///    and mounts are gone, a folder without a shim is deleted at the next opening.
/// 2. What the shim reads is written to the folder. Killed here: the same.
/// 3. The shim writes its identity, then lets the container enter the thread's name space. Killed
///    before that: there is nothing to enter, the shim gives up, the container has not run. Killed
///    after: the container runs, and its shim is on record.
public final class HostRuntime implements ContainerRuntime {
  /// The image that is always there: the machine's own root file system.
  public static final String IMAGE = "host";

  private static final int LAST_WORDS = 4096;

  private final Mounts mounts;
  private final List<Path> hidden;
  private final ContainerFolders folders;
  private final Path launcher;
  private final SecretPlaces secrets;
  private final ImportedImages images;
  private final DevicePolicy devices = new DevicePolicy();
  private final ShimTrees processes = new ShimTrees();
  private final Told<Images> present = new Told<>(Images.TOPIC);
  private @Nullable ImageWatch watch; // from when it is open
  private final List<EndListener> listeners = new CopyOnWriteArrayList<>();

  /// Starts and removals of one container come one after the other; by hash, for there is no end of
  /// containers.
  private final List<ReentrantLock> locks = new ArrayList<>();

  private HostRuntime(Layout layout, List<Path> hidden, ImportedImages images, Mounts mounts) {
    this.images = images;
    this.mounts = mounts;
    this.hidden = new ArrayList<>(hidden);
    this.hidden.add(layout.root());
    this.folders = new ContainerFolders(layout, mounts, devices);
    this.secrets = new SecretPlaces(mounts);
    this.launcher = layout.root().resolve("launcher");
    for (int i = 0; i < 64; i++) locks.add(new ReentrantLock());
  }

  /// Finds the containers of an earlier process, which must have ended, and clears away what it was
  /// killed over before it ran.
  ///
  /// @param layout whose directories the containers are kept in; its root is hidden from them
  /// @param hidden directories of the machine that containers see empty, such as the one that holds
  ///   the keys of the API server
  /// @param images that were imported for its containers
  public static HostRuntime open(Layout layout, List<Path> hidden, ImportedImages images)
      throws InterruptedException {
    var runtime = new HostRuntime(layout, hidden, images, Mounts.ofThisMachine());
    try {
      Files.createDirectories(layout.root());
      Launcher.writeTo(runtime.launcher);
      runtime.watch = ImageWatch.start(images.store(), runtime::tellImages);
    } catch (IOException broken) {
      throw new UncheckedIOException("write " + runtime.launcher, broken);
    }
    for (var folder : runtime.folders.all()) runtime.adopt(folder);
    runtime.folders.deleteEmpty();
    return runtime;
  }

  /// With the images that are in the node's own root directory.
  public static HostRuntime open(Layout layout, List<Path> hidden) throws InterruptedException {
    return open(layout, hidden, ImportedImages.of(layout));
  }

  @Override
  public void listen(EndListener listener) {
    listeners.add(listener);
  }

  @Override
  public Container start(ContainerSpec spec) throws RefusedException {
    requireImage(spec.image());
    var folder = folders.of(spec.id());
    var lock = lock(spec.id());
    lock.lock();
    try {
      var present = find(spec.id());
      if (present.isPresent()) return present.get();
      folders.delete(folder); // of a start that was refused while this very line was at work
      return start(spec, folder);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<Container> list() {
    return folders.all().stream().flatMap(folder -> container(folder).stream()).toList();
  }

  @Override
  public Optional<Container> find(ContainerId id) {
    return container(folders.of(id));
  }

  @Override
  public Execution exec(ContainerId id, ExecSpec wanted) throws RefusedException {
    var folder = folders.of(id);
    var first =
        folder.trace() instanceof Trace.Live(var shim, _)
            ? processes.first(shim)
            : Optional.<ProcessIdentity>empty();
    if (first.isEmpty()) throw HostExecution.notRunning(id);
    try {
      var spec =
          KeptSpec.read(folder, wanted.command())
              .orElseThrow(() ->
                  new RefusedException(
                      Reason.RUN_CONTAINER_ERROR,
                      "the container was started by an earlier version of Berth, which kept"
                          + " nothing of what further programs need; start it again"));
      return HostExecution.start(
          folder, launcher, first.get(), spec, devices.of(spec, folder), wanted.terminal());
    } catch (IOException | LinuxException | UncheckedIOException | IllegalArgumentException why) {
      throw new RefusedException(Reason.RUN_CONTAINER_ERROR, sentence(why, folder), why);
    }
  }

  @Override
  public void terminate(ContainerId id) {
    var folder = folders.of(id);
    if (folder.trace() instanceof Trace.Live(var shim, _))
      processes.terminate(shim, UsedImage.stop(folder));
  }

  @Override
  public void kill(ContainerId id) throws InterruptedException, StillRunningException {
    if (folders.of(id).trace() instanceof Trace.Live(var shim, _) && !processes.kill(shim))
      throw new StillRunningException(id);
  }

  @Override
  public void remove(ContainerId id) throws InterruptedException, StillRunningException {
    kill(id);
    var lock = lock(id);
    lock.lock();
    try {
      folders.delete(folders.of(id));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String terminationMessage(ContainerId id) {
    try (var file = Files.newInputStream(folders.of(id).terminationMessage())) {
      return new String(file.readNBytes(LAST_WORDS), StandardCharsets.UTF_8);
    } catch (NoSuchFileException _) {
      return "";
    } catch (IOException broken) {
      throw new UncheckedIOException("read the last words of container " + id, broken);
    }
  }

  @Override
  public Source<Images> images() {
    return present;
  }

  private void tellImages() {
    var all = images.present();
    present.change(_ -> all);
  }

  @Override
  public void close() {
    if (watch != null) watch.close();
    processes.close();
  }

  @Override
  public void requireImage(String image) throws RefusedException {
    obtainImage(new ImageRequest("", image, ImageRequest.Policy.NEVER, List::of));
  }

  @Override
  public void obtainImage(ImageRequest image) throws RefusedException {
    if (!image.name().equals(IMAGE)) images.require(image);
  }

  /// Of the image `host`.
  private static ContainerSpec check(ContainerSpec spec) throws RefusedException {
    if (spec.program().command().isEmpty())
      throw new RefusedException(
          Reason.CREATE_CONTAINER_CONFIG_ERROR,
          "no command specified: the image \"host\" has none of its own");
    if (spec.engine().runAsNonRoot() && spec.user().uid() == 0)
      throw new RefusedException(Reason.CREATE_CONTAINER_CONFIG_ERROR, spec.rootRefusal());
    return spec;
  }

  private Container start(ContainerSpec asked, ContainerFolder folder) throws RefusedException {
    try (var thread = NamespaceThread.withOwnMounts("container-" + asked.id())) {
      RootBuilder.makeDirectory(folder.directory(), 0700);
      boolean host = asked.image().equals(IMAGE);
      var root =
          host ? new ImportedImages.Root(check(asked), List.of()) : images.use(asked, folder);
      prepare(root.spec(), folder);
      if (!host) Neighbours.copyTo(folder);
      thread.clearUmask();
      thread.setHostName(root.spec().hostName());
      var file = build(root, folder, thread);
      thread.pivotInto(folder.root());
      var program =
          ContainerProgram.of(
              root.spec(),
              file,
              thread.mountNamespace(),
              thread.hostNamespace(),
              devices.make(root.spec(), folder));
      ShimProcess.start(folder, launcher, program, root.spec().log());
    } catch (RefusedException refused) {
      folders.delete(folder);
      throw refused;
    } catch (IOException | LinuxException | UncheckedIOException | IllegalArgumentException why) {
      clearAway(folder);
      throw new RefusedException(Reason.CREATE_CONTAINER_ERROR, sentence(why, folder), why);
    }
    adoptRunning(folder);
    return find(asked.id())
        .orElseThrow(() -> new IllegalStateException(asked.id() + " started without a trace"));
  }

  private static void prepare(ContainerSpec spec, ContainerFolder folder) throws IOException {
    RootBuilder.makeDirectory(folder.root(), 0700);
    RootBuilder.makeDirectory(folder.devices(), 0700);
    RootBuilder.prepareLayer(folder);
    for (var scratch : RootBuilder.Scratch.values())
      RootBuilder.makeDirectory(folder.scratch(scratch.name()), scratch.mode());
    Files.setAttribute(Files.createFile(folder.terminationMessage()), "unix:mode", 0666);
    Files.setAttribute(Files.createFile(folder.empty()), "unix:mode", 0600);
    KeptSpec.write(spec, folder);
    DeviceNode.makePipe(folder.output(), 0600);
    Files.setAttribute(folder.output(), "unix:uid", spec.user().uid()); // for /dev/stdout
  }

  /// @return the program's file
  private String build(ImportedImages.Root root, ContainerFolder folder, NamespaceThread thread)
      throws RefusedException {
    var spec = root.spec();
    var builder = new RootBuilder(mounts, hidden, secrets.now(), root.layers(), spec, folder);
    try {
      return thread.call(() -> {
        builder.build();
        return ProgramLookup.find(spec, new Rooted(folder.root()));
      });
    } catch (ProgramLookup.MissingException missing) {
      throw new RefusedException(
          Reason.RUN_CONTAINER_ERROR, String.valueOf(missing.getMessage()), missing);
    }
  }

  /// After a start that went wrong at its last step the shim may still be about.
  private void clearAway(ContainerFolder folder) {
    switch (folder.trace()) {
      case Trace.Starting(var shim) -> killAndDelete(shim, folder);
      case Trace.Live(var shim, _) -> killAndDelete(shim, folder);
      case Trace.NeverStarted _, Trace.Over _ -> folders.delete(folder);
    }
  }

  /// What does not end in time is deleted at the next opening.
  private void killAndDelete(ProcessIdentity shim, ContainerFolder folder) {
    try {
      if (processes.killShim(shim)) folders.delete(folder);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void adopt(ContainerFolder folder) throws InterruptedException {
    if (folder.trace() instanceof Trace.Starting(var shim))
      processes.awaitDecision(shim, () -> folder.trace() instanceof Trace.Starting);
    switch (folder.trace()) {
      case Trace.NeverStarted _ -> folders.delete(folder);
      case Trace.Starting(var shim) -> killAndDelete(shim, folder);
      case Trace.Live _ -> adoptRunning(folder);
      case Trace.Over _ -> {}
    }
  }

  private void adoptRunning(ContainerFolder folder) {
    if (folder.trace() instanceof Trace.Live(var shim, _))
      processes.onEnd(shim, () -> listeners.forEach(listener -> listener.ended(folder.id())));
    else
      listeners.forEach(listener -> Thread.startVirtualThread(() -> listener.ended(folder.id())));
  }

  private static Optional<Container> container(ContainerFolder folder) {
    return switch (folder.trace()) {
      case Trace.NeverStarted _, Trace.Starting _ -> Optional.empty();
      case Trace.Live(_, var state) -> Optional.of(container(folder, state));
      case Trace.Over(var state) -> Optional.of(container(folder, state));
    };
  }

  private static Container container(ContainerFolder folder, ContainerState state) {
    return new Container(folder.id(), state, UsedImage.id(folder).orElse(IMAGE));
  }

  private ReentrantLock lock(ContainerId id) {
    return locks.get(Math.floorMod(id.hashCode(), locks.size()));
  }

  /// For the pod's author, whom it does not concern where on the machine his container is.
  private static String sentence(Exception why, ContainerFolder folder) {
    var cause = why instanceof UncheckedIOException io ? io.getCause() : null;
    var said =
        cause == null
            ? String.valueOf(why.getMessage())
            : why.getMessage() + ": " + cause.getMessage();
    return said.replace(folder.root().toString(), "the container's root")
        .replace(folder.directory().toString(), "the container's folder");
  }
}
