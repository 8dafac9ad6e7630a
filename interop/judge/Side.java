package judge;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// One of the two that are compared: an API server of its own, and how its sidecars are started.
///
/// @param peers upstream's programs by the names of `berth sidecar`; none: Berth's
record Side(String name, Cluster cluster, Writes writes, Path work, Map<String, String> peers) {
  /// Programs that work for a whole cluster, not for one driver: one is started for all scenarios.
  static final List<String> SHARED = List.of("snapshot-controller");

  private static final Map<String, Program> running = new HashMap<>();

  boolean has(String program) {
    return peers.isEmpty() || peers.containsKey(program);
  }

  /// @param apart whether ours is to be a process, as upstream's always is
  Program start(
      String program, List<String> flags, Map<String, String> environment, Path log, boolean apart, Path berth)
      throws Exception {
    if (!peers.isEmpty())
      return Program.Process.start(Program.words(List.of(peers.get(program)), flags), environment, log);
    var words =
        SHARED.contains(program)
            ? Program.words(List.of(program), flags)
            : Program.words(List.of("sidecar", program), flags);
    return apart
        ? Program.Process.start(Program.words(List.of(berth.toString()), words), environment, log)
        : new Program.Within(words);
  }

  /// The one that all scenarios share.
  void share(String program, Path berth) throws Exception {
    synchronized (running) {
      if (running.containsKey(name + program)) return;
      var config = work.resolve(name + "-" + program + ".kubeconfig");
      cluster.kubeconfig(config, program);
      var flags =
          List.of(
              "--kubeconfig=" + config,
              "--kube-api-qps=1000",
              "--kube-api-burst=1000",
              "--retry-interval-start=250ms");
      running.put(
          name + program,
          start(program, flags, Map.of(), work.resolve(name + "-" + program + ".log"), false, berth));
      Thread.sleep(2000);
    }
  }

  static void stopAll() throws InterruptedException {
    for (var each : running.values()) each.stop();
  }
}
