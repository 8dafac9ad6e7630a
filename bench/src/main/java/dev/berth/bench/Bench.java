package dev.berth.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `Bench KUBECONFIG CASE [COUNT]`: claims, pods one after another, or pods at once.
public final class Bench {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Api api;

  private Bench(Api api) {
    this.api = api;
  }

  public static void main(String[] args) throws Exception {
    try (var api = HttpApi.of(Path.of(args[0]), Optional.empty())) {
      var bench = new Bench(api);
      bench.create(Resources.STORAGE_CLASSES, Objects.storageClass(Objects.CLASS, "Immediate"));
      bench.create(
          Resources.STORAGE_CLASSES,
          Objects.storageClass(Objects.WAITING_CLASS, "WaitForFirstConsumer"));
      int count = args.length > 2 ? Integer.parseInt(args[2]) : 0;
      switch (args[1]) {
        case "claims" -> bench.claims(count == 0 ? 1000 : count);
        case "pods" -> bench.pods(count == 0 ? 20 : count);
        case "burst" -> bench.burst(count == 0 ? 20 : count);
        case String other -> throw new IllegalArgumentException("no case " + other);
      }
    }
    System.exit(0); // the HTTP client's threads are not awaited
  }

  /// Claims of an Immediate class to Bound, then deleted until no volume is left.
  private void claims(int count) throws Exception {
    try (var claims = new Shown(api, Resources.CLAIMS);
        var volumes = new Shown(api, Resources.VOLUMES)) {
      long begun = System.nanoTime();
      Work.atOnce(
          count, number -> create(Resources.CLAIMS, claim("claim-", number, Objects.CLASS)));
      long bound = claims.await(count, Shown.phase("claim-", "Bound"), PATIENCE);
      print(new Figures(count + " claims to Bound", List.of((bound - begun) / 1e6)));
      begun = System.nanoTime();
      Work.atOnce(count, number -> delete(Resources.CLAIMS, "claim-" + number));
      long gone = volumes.await(0, Bench::isOfBench, PATIENCE);
      print(new Figures(count + " claims deleted to no volume", List.of((gone - begun) / 1e6)));
    }
  }

  /// A pod with a new volume, created to Running; each alone.
  private void pods(int count) throws Exception {
    var running = new ArrayList<Double>();
    var gone = new ArrayList<Double>();
    try (var pods = new Shown(api, Resources.PODS);
        var volumes = new Shown(api, Resources.VOLUMES)) {
      for (int number = 0; number < count; number++) {
        long begun = System.nanoTime();
        createPod("pod-", number);
        long at = pods.await(1, Shown.phase("pod-", "Running"), PATIENCE);
        running.add((at - begun) / 1e6);
        begun = System.nanoTime();
        delete(Resources.PODS, "pod-" + number);
        delete(Resources.CLAIMS, "pod-" + number);
        gone.add((volumes.await(0, Bench::isOfBench, PATIENCE) - begun) / 1e6);
      }
    }
    print(new Figures("a pod with a new 1 GiB ext4 volume to Running", running));
    print(new Figures("the pod and its claim deleted to no volume", gone));
  }

  /// Pods with new volumes, all created at once.
  private void burst(int count) throws Exception {
    try (var pods = new Shown(api, Resources.PODS);
        var volumes = new Shown(api, Resources.VOLUMES)) {
      long begun = System.nanoTime();
      Work.atOnce(count, number -> createPod("burst-", number));
      long at = pods.await(count, Shown.phase("burst-", "Running"), PATIENCE);
      print(
          new Figures(
              count + " pods with new volumes at once to Running", List.of((at - begun) / 1e6)));
      Work.atOnce(
          count,
          number -> {
            delete(Resources.PODS, "burst-" + number);
            delete(Resources.CLAIMS, "burst-" + number);
          });
      volumes.await(0, Bench::isOfBench, PATIENCE);
    }
  }

  private void createPod(String prefix, int number) {
    create(Resources.CLAIMS, claim(prefix, number, Objects.WAITING_CLASS));
    create(Resources.PODS, Objects.pod(prefix + number));
  }

  private static ObjectNode claim(String prefix, int number, String storageClass) {
    return Objects.claim(prefix + number, storageClass);
  }

  private static boolean isOfBench(ObjectNode volume) {
    return Json.text(volume.path("spec"), "storageClassName").startsWith("bench");
  }

  private void create(Resource resource, ObjectNode object) {
    try {
      api.create(resource, object);
    } catch (ApiException.LostRace lost) {
      if (!lost.nameTaken() || !resource.equals(Resources.STORAGE_CLASSES)) throw lost;
    }
  }

  private void delete(Resource resource, String name) {
    api.delete(resource, ObjectKey.of(Objects.NAMESPACE, name), DeleteOptions.DEFAULT);
  }

  private static void print(Figures figures) {
    System.out.println(figures.line());
  }
}
