package dev.berth.bench.scale;

import dev.berth.bench.scale.Looks.Look;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// `Scale [NODES [PODS…]]`: what a look of each decider, a change and a start cost in clusters of
/// these sizes; by default 5,000 nodes with 1,000 and with 100,000 pods, claims and volumes. A look
/// costs what it is about if its figure does not grow from the first size to the last.
///
/// All clusters are there at once, and each figure is taken in all of them by turns: by the same
/// compiled code, and while the same else runs on the machine.
public final class Scale {
  private Scale() {}

  public static void main(String[] arguments) {
    int nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5_000;
    var sizes = Arrays.stream(arguments).skip(1).map(Integer::valueOf).toList();
    if (sizes.isEmpty()) sizes = List.of(1_000, 100_000);
    var starts = sizes.stream().map(pods -> Start.of(new World(nodes, pods))).toList();
    System.out.printf("%,d nodes, and pods with a volume each%n", nodes);
    print("", sizes.stream().map("%,d"::formatted).toList(), "growth", "reads");
    print("start, ms", starts.stream().map(Start::millis).toList(), "");
    print("memory for each object, bytes", starts.stream().map(Start::bytes).toList(), "");
    var worlds = starts.stream().map(Start::objects).toList();
    System.out.println("  look, µs");
    var all = new Looks(worlds.getFirst());
    all.all.forEach((name, look) -> {
      var looks = worlds.stream().<Look>map(look::apply).toList();
      var reads = looks.stream().map(it -> String.valueOf(it.reads())).toList();
      print(name, micros(looks.stream().map(Look::work).toList()), String.join(" / ", reads));
    });
    System.out.println("  no object here for: " + String.join(", ", all.idle));
    System.out.println("  change, µs");
    Changes.ALL.forEach(
        (name, change) -> print(name, micros(worlds.stream().map(change).toList()), ""));
  }

  private static List<Double> micros(List<Runnable> works) {
    return Turns.medians(works).stream().map(nanos -> nanos / 1e3).toList();
  }

  private static void print(String what, List<Double> figures, String reads) {
    var texts = new ArrayList<String>();
    for (double figure : figures) texts.add(String.format(Locale.ROOT, "%,.1f", figure));
    double growth = figures.getLast() / figures.getFirst();
    print(what, texts, String.format(Locale.ROOT, "%.2f", growth), reads);
  }

  private static void print(String what, List<String> figures, String growth, String reads) {
    var columns = figures.stream().map("%12s"::formatted).collect(Collectors.joining());
    System.out.println("  %-42s%s%10s  %s".formatted(what, columns, growth, reads).stripTrailing());
  }
}
