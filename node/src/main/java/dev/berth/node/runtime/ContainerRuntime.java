package dev.berth.node.runtime;

import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Containers on this machine. They live on when this process ends, however it ends; the next one
/// finds them through [#list] and is told of their ends like of its own.
///
/// All methods block and may be called on virtual threads, also for different containers at once.
public interface ContainerRuntime extends AutoCloseable {
  /// Is told when a container has ended, once for each listener, on a virtual thread of its own.
  /// Its state is readable by then.
  @FunctionalInterface
  interface EndListener {
    void ended(ContainerId id);
  }

  /// From now on `listener` is told of ends, also of containers that an earlier process started.
  /// What has ended already is in [#list].
  void listen(EndListener listener);

  /// Looks whether there is such an image, which matters before all else that a container wants.
  ///
  /// @throws RefusedException if no container can be started from it
  void requireImage(String image) throws RefusedException;

  /// Sees to it that there is such an image, which may take as long as it takes to pull it.
  ///
  /// @throws RefusedException if no container can be started from it now
  default void obtainImage(ImageRequest image) throws RefusedException {
    requireImage(image.name());
  }

  /// The images that are here already, as they come and go.
  default Source<Images> images() {
    return new Told<>(Images.TOPIC);
  }

  /// What it does of a pod's text beyond the built-in runtime: fields of the pod or of its
  /// containers, as `securityContext.capabilities`.
  default Set<String> enforced() {
    return Set.of();
  }

  /// Uids of all pods for which something is kept, be it without any container.
  default Set<String> pods() {
    return Set.of();
  }

  /// None of the pod's containers runs, and none is about to: ends what was kept running for them.
  default void stopPod(String podUid) {}

  /// None of the pod's containers is left: forgets the pod. One that is not known is done already.
  default void removePod(String podUid) {}

  /// Starts a container and returns when its program is about to run. If a container with this id
  /// exists already, running or ended, that one is returned and nothing is started.
  ///
  /// @throws RefusedException nothing was started and nothing is left; its reason fits a waiting
  ///   container's `reason`
  Container start(ContainerSpec spec) throws RefusedException;

  /// Every container that was started and not removed, in no particular order.
  List<Container> list();

  /// The container with this id, if it was started and not removed.
  Optional<Container> find(ContainerId id);

  /// Starts one more program in a container, beside its own.
  ///
  /// @throws RefusedException the container does not run, there is no such program in it, or this
  ///   runtime cannot do that
  default Execution exec(ContainerId id, ExecSpec spec) throws RefusedException {
    throw new RefusedException(
        RefusedException.Reason.RUN_CONTAINER_ERROR,
        "this container runtime runs no further programs in containers");
  }

  /// Where the engine behind this runtime carries streams itself, by HTTP that is upgraded as
  /// Kubernetes' clients ask; empty: here that is done by [#exec] and [#connect].
  ///
  /// @throws RefusedException there is nothing to carry streams from
  default Optional<URI> carrier(StreamRequest request) throws RefusedException {
    return Optional.empty();
  }

  /// What is in the containers' logs.
  default LogFormat logFormat() {
    return LogFormat.PLAIN;
  }

  /// Connects to a port of a pod, as a program in it would to `localhost`.
  ///
  /// @param port from 1 to 65535
  /// @throws IOException nobody listens there
  default SocketChannel connect(String podUid, int port) throws IOException {
    return SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /// Asks the container's main process to end (SIGTERM) and returns; listeners are told when it
  /// has. One that does not run, or does not exist, is asked nothing.
  void terminate(ContainerId id);

  /// Kills all processes of the container and returns when they are gone. One that does not run, or
  /// does not exist, is done already.
  ///
  /// @throws StillRunningException they have been killed and do not go
  void kill(ContainerId id) throws InterruptedException, StillRunningException;

  /// Forgets an ended container and deletes what it wrote to its root file system. The log and the
  /// volumes stay. One that does not exist is done already; one that runs is killed first.
  ///
  /// @throws StillRunningException it has been killed and does not go: nothing was removed
  void remove(ContainerId id) throws InterruptedException, StillRunningException;

  /// What the container has left at its termination message path: at most 4 KiB, empty if nothing.
  String terminationMessage(ContainerId id);

  /// Stops telling of ends. The containers go on.
  @Override
  void close();

  /// What was killed does not go.
  final class StillRunningException extends IOException {
    private static final long serialVersionUID = 1;

    public StillRunningException(ContainerId id) {
      super(
          "container %s has been killed, and its processes are still there: they hang in the kernel, mostly at a volume whose server or device does not answer; mend that, or start the machine anew"
              .formatted(id));
    }
  }
}
