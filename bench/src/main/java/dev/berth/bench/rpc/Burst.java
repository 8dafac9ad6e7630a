package dev.berth.bench.rpc;

import dev.berth.csi.client.CsiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/// `Burst VOLUMES FOLDER NAME=unix:///PATH[=PID,PID...]...`: as many volumes staged, published and
/// taken down at once, as when a node is drained or comes back; beside the sum of what the kernel
/// and the tools need for them, one after another.
public final class Burst {
  private final int volumes;
  private final Path folder;
  private double bareSeconds;
  private double atOnceSeconds;

  private Burst(int volumes, Path folder) {
    this.volumes = volumes;
    this.folder = folder;
  }

  /// Calls that a kubelet makes at once.
  ///
  /// @param bare the steps that they cannot do without
  private record Phase(String name, List<IntConsumer> bare, IntConsumer call) {}

  public static void main(String[] arguments) throws Exception {
    var bench = new Burst(Integer.parseInt(arguments[0]), Path.of(arguments[1]));
    for (var peer : Arrays.stream(arguments).skip(2).map(Peer::of).toList()) {
      bench.bareSeconds = 0;
      bench.atOnceSeconds = 0;
      bench.run(peer);
      peer.connection().close();
    }
  }

  private void run(Peer peer) throws Exception {
    var bare = new Bare(Files.createDirectories(folder.resolve("bare")));
    var users = new ArrayList<Use>();
    for (var number = 0; number < volumes; number++)
      users.add(
          Use.make(peer, "burst-" + number, Files.createDirectories(folder.resolve("burst"))));
    System.out.printf(
        Locale.ROOT,
        "%s: %d volumes, resident %.1f MiB%n%-20s%10s%10s%8s%10s%10s%9s  %s%n",
        peer.name(),
        volumes,
        peer.residentMebibytes(),
        "",
        "bare s",
        "at once s",
        "ratio",
        "mean ms",
        "most ms",
        "peak MiB",
        "refused");
    for (var phase :
        List.of(
            new Phase(
                "stage, new", List.of(bare::format, bare::mount), it -> users.get(it).stage()),
            new Phase("publish", List.of(bare::bind), it -> users.get(it).publish()),
            new Phase("look (stats)", List.of(), it -> users.get(it).stats()),
            new Phase("unpublish", List.of(bare::unbind), it -> users.get(it).unpublish()),
            new Phase("unstage", List.of(bare::unmount), it -> users.get(it).unstage()),
            new Phase(
                "stage again", List.of(bare::check, bare::mount), it -> users.get(it).stage()),
            new Phase("publish again", List.of(bare::bind), it -> users.get(it).publish()),
            new Phase(
                "take down",
                List.of(bare::unbind, bare::unmount),
                it -> {
                  users.get(it).unpublish();
                  users.get(it).unstage();
                }))) measure(peer, phase);
    System.out.printf(
        Locale.ROOT,
        "%-20s%10.2f%10.2f%8.2f%n",
        "all but looks",
        bareSeconds,
        atOnceSeconds,
        atOnceSeconds / bareSeconds);
    IntStream.range(0, volumes).forEach(bare::clear);
    for (var use : users) use.remove();
  }

  private void measure(Peer peer, Phase phase) throws Exception {
    var begun = System.nanoTime();
    for (var step : phase.bare) IntStream.range(0, volumes).forEach(step);
    var bare = (System.nanoTime() - begun) / 1e9;
    peer.forgetPeak();
    var millis = Collections.synchronizedList(new ArrayList<Double>());
    var refused = Collections.synchronizedMap(new TreeMap<String, Integer>());
    begun = System.nanoTime();
    atOnce(number -> {
      var before = System.nanoTime();
      untilDone(() -> phase.call.accept(number), refused);
      millis.add((System.nanoTime() - before) / 1e6);
    });
    var atOnce = (System.nanoTime() - begun) / 1e9;
    if (!phase.bare.isEmpty()) {
      bareSeconds += bare;
      atOnceSeconds += atOnce;
    }
    System.out.printf(
        Locale.ROOT,
        "%-20s%10.2f%10.2f%8s%10.1f%10.1f%9.1f  %s%n",
        phase.name,
        bare,
        atOnce,
        phase.bare.isEmpty() ? "" : String.format(Locale.ROOT, "%.2f", atOnce / bare),
        millis.stream().mapToDouble(it -> it).average().orElse(0),
        millis.stream().mapToDouble(it -> it).max().orElse(0),
        peer.peakMebibytes(),
        refused.isEmpty() ? "none" : refused);
  }

  /// A kubelet calls again, though later.
  private static void untilDone(Runnable call, java.util.Map<String, Integer> refused) {
    while (true)
      try {
        call.run();
        return;
      } catch (CsiException e) {
        refused.merge(e.code().name(), 1, Integer::sum);
      }
  }

  private void atOnce(IntConsumer call) throws InterruptedException, ExecutionException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Future<?>>();
      for (var number = 0; number < volumes; number++) {
        var own = number;
        calls.add(threads.submit(() -> call.accept(own)));
      }
      for (var each : calls) each.get();
    }
  }
}
