package dev.berth.bench.rpc;

import dev.berth.csi.v1.DeleteVolumeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/// `Rpc LIVES FOLDER NAME=unix:///PATH[=PID,PID...]...`: each RPC's latency, volumes a second, and
/// memory, side by side.
public final class Rpc {
  private static final int WARMING = 60;
  private static final List<Integer> CALLERS = List.of(1, 8, 64);
  private static final int VOLUMES = 640;

  private final List<Peer> peers;
  private final Path folder;

  private Rpc(List<Peer> peers, Path folder) {
    this.peers = peers;
    this.folder = folder;
  }

  public static void main(String[] arguments) throws Exception {
    var lives = Integer.parseInt(arguments[0]);
    var peers = Arrays.stream(arguments).skip(2).map(Peer::of).toList();
    var bench = new Rpc(peers, Path.of(arguments[1]));
    bench.memory("resident memory, idle, MiB");
    bench.lives(WARMING, "warm");
    bench.print(bench.lives(lives, "life"), lives);
    for (var callers : CALLERS) bench.volumesASecond(callers);
    bench.memory("resident memory under load, MiB");
    peers.forEach(peer -> peer.connection().close());
  }

  private List<Times> lives(int count, String prefix) throws IOException {
    var lives = new ArrayList<Life>();
    for (var peer : peers)
      lives.add(new Life(peer, new Times(), Files.createDirectories(folder.resolve(peer.name()))));
    for (var number = 0; number < count; number++)
      for (var life : lives) life.live(prefix + "-" + number);
    return lives.stream().map(Life::times).toList();
  }

  private void print(List<Times> times, int lives) {
    row("ms of " + lives + " calls each, p50 / p99", peers.stream().map(Peer::name).toList());
    for (var name : times.getFirst().names())
      row(name, times.stream().map(each -> cell(each, name)).toList());
  }

  private static String cell(Times times, String name) {
    var median = times.millis(name, 0.5);
    return median < 0
        ? "none"
        : String.format(Locale.ROOT, "%.2f / %.2f", median, times.millis(name, 0.99));
  }

  /// Makes and removes volumes; in turns of halves, so that nobody has the better time.
  private void volumesASecond(int callers) throws Exception {
    var made = new LinkedHashMap<Peer, Double>();
    var removed = new LinkedHashMap<Peer, Double>();
    for (var half = 0; half < 2; half++)
      for (var peer : peers) {
        var controller = peer.connection().controller(Peer.PATIENCE);
        var ids = new String[VOLUMES / 2];
        var prefix = "at-once-%d-%d-".formatted(callers, half);
        made.merge(
            peer,
            seconds(
                callers,
                number ->
                    ids[number] =
                        controller
                            .createVolume(Life.volume(prefix + number))
                            .getVolume()
                            .getVolumeId()),
            Double::sum);
        removed.merge(
            peer,
            seconds(
                callers,
                number ->
                    controller.deleteVolume(
                        DeleteVolumeRequest.newBuilder().setVolumeId(ids[number]).build())),
            Double::sum);
      }
    row("volumes made a second, %d callers".formatted(callers), rates(made));
    row("volumes removed a second, %d callers".formatted(callers), rates(removed));
  }

  private List<String> rates(Map<Peer, Double> seconds) {
    return peers.stream()
        .map(peer -> String.format(Locale.ROOT, "%.0f", VOLUMES / seconds.getOrDefault(peer, 0.0)))
        .toList();
  }

  private static double seconds(int callers, Consumer<Integer> call)
      throws InterruptedException, ExecutionException {
    var places = new Semaphore(callers);
    var begun = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Future<?>>();
      for (var number = 0; number < VOLUMES / 2; number++) {
        var own = number;
        places.acquire();
        calls.add(
            threads.submit(() -> {
              try {
                call.accept(own);
              } finally {
                places.release();
              }
            }));
      }
      for (var each : calls) each.get();
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  private void memory(String what) throws IOException {
    var cells = new ArrayList<String>();
    for (var peer : peers)
      cells.add(
          peer.processes().isEmpty()
              ? "not asked"
              : String.format(Locale.ROOT, "%.1f", peer.residentMebibytes()));
    row(what, cells);
  }

  private static void row(String what, List<String> cells) {
    var line = new StringBuilder(String.format(Locale.ROOT, "%-46s", what));
    cells.forEach(cell -> line.append(String.format(Locale.ROOT, "%22s", cell)));
    System.out.println(line.toString().stripTrailing());
  }
}
