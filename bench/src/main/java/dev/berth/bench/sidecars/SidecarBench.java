package dev.berth.bench.sidecars;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.bench.Figures;
import dev.berth.bench.Shown;
import dev.berth.bench.Work;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Selector;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.value.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// `SidecarBench KUBECONFIG CLAIMS SNAPSHOTS`: claims to volumes and to Bound, attachments of these
/// and their end, snapshots and their end, the claims' end. Who does it runs beside.
public final class SidecarBench {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final String NAMESPACE = "default";
  private static final String NAME = "bench";

  private final Api api;

  private SidecarBench(Api api) {
    this.api = api;
  }

  public static void main(String[] args) throws Exception {
    try (var api = HttpApi.of(Path.of(args[0]), Optional.empty())) {
      var bench = new SidecarBench(api);
      bench.prepare();
      int claims = Integer.parseInt(args[1]);
      bench.claims(claims);
      bench.attachments(claims);
      bench.snapshots(Integer.parseInt(args[2]));
      bench.claimsGone(claims);
    }
    System.exit(0); // the HTTP client's threads are not awaited
  }

  private void prepare() {
    var storage = object(Resources.STORAGE_CLASSES, NAME);
    create(Resources.STORAGE_CLASSES, storage.put("provisioner", NoOpDriver.NAME));
    var snapshots = object(SnapshotKinds.CLASS.resource(), NAME);
    snapshots.put("driver", NoOpDriver.NAME).put("deletionPolicy", "Delete");
    create(SnapshotKinds.CLASS.resource(), snapshots);
    create(Resources.NODES, object(Resources.NODES, NAME));
    var node = object(Resources.CSI_NODES, NAME);
    var driver = node.putObject("spec").putArray("drivers").addObject();
    driver.put("name", NoOpDriver.NAME).put("nodeID", NAME).putArray("topologyKeys");
    create(Resources.CSI_NODES, node);
  }

  private void claims(int count) throws Exception {
    try (var claims = new Shown(api, Resources.CLAIMS);
        var volumes = new Shown(api, Resources.VOLUMES)) {
      long begun = System.nanoTime();
      Work.atOnce(count, number -> create(Resources.CLAIMS, claim(number)));
      print(count + " claims to volumes", begun, volumes.await(count, any -> true, PATIENCE));
      var bound = Shown.phase("claim-", "Bound");
      print(count + " claims to Bound", begun, claims.await(count, bound, PATIENCE));
    }
  }

  private void claimsGone(int count) throws Exception {
    try (var volumes = new Shown(api, Resources.VOLUMES)) {
      long begun = System.nanoTime();
      Work.atOnce(
          count, number -> delete(Resources.CLAIMS, ObjectKey.of(NAMESPACE, "claim-" + number)));
      print(count + " claims deleted to no volume", begun, volumes.await(0, any -> true, PATIENCE));
    }
  }

  private void attachments(int count) throws Exception {
    var names =
        api.list(Resources.VOLUMES, "", Selector.ALL).items().stream()
            .map(SidecarBench::name)
            .limit(count)
            .toList();
    try (var shown = new Shown(api, Resources.ATTACHMENTS)) {
      long begun = System.nanoTime();
      Work.atOnce(
          names.size(), number -> create(Resources.ATTACHMENTS, attachment(names.get(number))));
      long at = shown.await(names.size(), it -> it.at("/status/attached").asBoolean(), PATIENCE);
      print(names.size() + " attachments", begun, at);
      begun = System.nanoTime();
      Work.atOnce(
          names.size(),
          number -> delete(Resources.ATTACHMENTS, ObjectKey.cluster("a-" + names.get(number))));
      print(names.size() + " detachments", begun, shown.await(0, any -> true, PATIENCE));
    }
  }

  private void snapshots(int count) throws Exception {
    var resource = SnapshotKinds.SNAPSHOT.resource();
    try (var shown = new Shown(api, resource);
        var contents = new Shown(api, SnapshotKinds.CONTENT.resource())) {
      long begun = System.nanoTime();
      Work.atOnce(count, number -> create(resource, snapshot(number)));
      long at = shown.await(count, it -> it.at("/status/readyToUse").asBoolean(), PATIENCE);
      print(count + " snapshots to ready", begun, at);
      begun = System.nanoTime();
      Work.atOnce(count, number -> delete(resource, ObjectKey.of(NAMESPACE, "snapshot-" + number)));
      shown.await(0, any -> true, PATIENCE);
      print(count + " snapshots deleted", begun, contents.await(0, any -> true, PATIENCE));
    }
  }

  private static ObjectNode claim(int number) {
    var object = object(Resources.CLAIMS, "claim-" + number);
    var spec = object.putObject("spec").put("storageClassName", NAME);
    spec.putArray("accessModes").add("ReadWriteOnce");
    spec.putObject("resources").putObject("requests").put("storage", "1Gi");
    return object;
  }

  private static ObjectNode attachment(String volume) {
    var object = object(Resources.ATTACHMENTS, "a-" + volume);
    var spec = object.putObject("spec").put("attacher", NoOpDriver.NAME).put("nodeName", NAME);
    spec.putObject("source").put("persistentVolumeName", volume);
    return object;
  }

  private static ObjectNode snapshot(int number) {
    var object = object(SnapshotKinds.SNAPSHOT.resource(), "snapshot-" + number);
    var spec = object.putObject("spec").put("volumeSnapshotClassName", NAME);
    spec.putObject("source").put("persistentVolumeClaimName", "claim-" + number);
    return object;
  }

  private static ObjectNode object(Resource resource, String name) {
    var object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    var meta = object.putObject("metadata").put("name", name);
    if (resource.namespaced()) meta.put("namespace", NAMESPACE);
    return object;
  }

  private static String name(ObjectNode object) {
    return Json.text(object.path("metadata"), "name");
  }

  private void create(Resource resource, ObjectNode object) {
    try {
      api.create(resource, object);
    } catch (ApiException.LostRace lost) {
      if (!lost.nameTaken()) throw lost;
    }
  }

  private void delete(Resource resource, ObjectKey key) {
    api.delete(resource, key, DeleteOptions.DEFAULT);
  }

  private static void print(String what, long begun, long ended) {
    System.out.println(new Figures(what, List.of((ended - begun) / 1e6)).line());
  }
}
