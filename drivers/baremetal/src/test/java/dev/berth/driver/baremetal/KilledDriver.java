package dev.berth.driver.baremetal;

import dev.berth.driver.DriverServer;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.kube.api.Api;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.object.Resource;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// The driver in a process of its own that gets SIGKILL at one of its steps.
final class KilledDriver implements AutoCloseable {
  private static final Set<String> WRITES =
      Set.of("create", "update", "updateStatus", "patch", "patchStatus", "delete");

  /// At which of its steps a process is killed.
  ///
  /// @param what before or after a write to our kinds has reached the server, or while a program
  ///   that it has started runs
  /// @param number which of them, from 1
  record Step(What what, int number) {
    enum What {
      BEFORE_WRITE,
      AFTER_WRITE,
      IN_PROGRAM
    }
  }

  private final Process process;
  private final Path log;

  private KilledDriver(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /// @param socket where it serves
  /// @param node empty: a controller, else the node of this name
  static KilledDriver start(Path folder, Path socket, Path kubeconfig, String node, Step step)
      throws IOException {
    var log = folder.resolve("killed.log");
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            KilledDriver.class.getName(),
            folder.toString(),
            socket.toString(),
            kubeconfig.toString(),
            node,
            step.what.name(),
            Integer.toString(step.number));
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    var killed = new KilledDriver(process, log);
    if (step.what == Step.What.IN_PROGRAM)
      Thread.ofPlatform().daemon().start(() -> killed.killInProgram(step.number));
    return killed;
  }

  /// Only in the child.
  public static void main(String[] words) throws Exception {
    var folder = Path.of(words[0]);
    var step = new Step(Step.What.valueOf(words[4]), Integer.parseInt(words[5]));
    var services = Set.of(words[3].isEmpty() ? Service.CONTROLLER : Service.NODE);
    var options =
        new BareMetalOptions(
            words[3], Optional.of(folder.resolve("drives.yaml")), folder.resolve("img"), services);
    var driver =
        BareMetalDriver.open(options, dying(HttpApi.of(Path.of(words[2]), Optional.empty()), step));
    DriverServer.start(Path.of(words[1]), driver, DriverServer.Options.of(services));
    new CountDownLatch(1).await();
  }

  private static Api dying(Api server, Step step) {
    var writes = new AtomicInteger();
    return (Api)
        Proxy.newProxyInstance(
            Api.class.getClassLoader(),
            new Class<?>[] {Api.class},
            (_, method, arguments) -> {
              boolean counts =
                  arguments != null
                      && WRITES.contains(method.getName())
                      && arguments[0] instanceof Resource resource
                      && resource.group().equals(BareMetalKinds.GROUP)
                      && !resource.equals(BareMetalKinds.NODES); // a sign of life is no step
              boolean now = counts && writes.incrementAndGet() == step.number;
              if (now && step.what == Step.What.BEFORE_WRITE) die();
              try {
                var answer = method.invoke(server, arguments);
                if (now && step.what == Step.What.AFTER_WRITE) die();
                return answer;
              } catch (InvocationTargetException refused) {
                throw refused.getCause();
              }
            });
  }

  private static void die() throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
    new CountDownLatch(1).await(); // it comes within moments
  }

  /// Kills it as soon as the program of that number has been seen beneath it.
  private void killInProgram(int number) {
    var seen = new HashSet<Long>();
    while (process.isAlive()) {
      process.children().map(ProcessHandle::pid).forEach(seen::add);
      if (seen.size() >= number) process.destroyForcibly();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  boolean isDead() {
    return !process.isAlive();
  }

  Path log() {
    return log;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
