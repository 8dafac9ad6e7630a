package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.controller;
import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static dev.berth.driver.baremetal.BareMetalWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.Topology;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.node.NodeVolumes;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Reservation;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// A pod with several claims, each for a whole drive, on a node with so many or fewer drives.
class SeveralClaimsTest {
  private static final String ONE =
      "nodes: [{nodeID: a, driveCount: 1, drives: [{serialNumber: A, size: 32Mi}]}]";
  private static final String TWO =
      """
      nodes: [{nodeID: a, driveCount: 2, drives:
        [{serialNumber: A, size: 32Mi}, {serialNumber: B, size: 32Mi}]}]
      """;
  private static final String THREE =
      """
      nodes: [{nodeID: a, drives:
        [{serialNumber: A, size: 32Mi}, {serialNumber: B, size: 32Mi}, {serialNumber: C, size: 32Mi}]}]
      """;

  private static ObjectNode make(BareMetalWorld world, Resource resource, String json) {
    try {
      var object = new ObjectMapper().readTree(json.replace('\'', '"'));
      return world.api.create(resource, (ObjectNode) object);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static void classes(BareMetalWorld world) {
    for (var type : List.of("any", "shared"))
      make(
          world,
          Resources.STORAGE_CLASSES,
          """
          {'apiVersion': 'storage.k8s.io/v1', 'kind': 'StorageClass', 'metadata': {'name': '%s'},
           'provisioner': 'csi-baremetal', 'parameters': {'storageType': '%s'},
           'volumeBindingMode': 'WaitForFirstConsumer'}
          """
              .formatted(type, type));
  }

  /// @return what its volume will be called
  private static String claim(BareMetalWorld world, String name, String storageClass) {
    var claim =
        make(
            world,
            Resources.CLAIMS,
            """
            {'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim',
             'metadata': {'name': '%s', 'namespace': 'default',
               'annotations': {'volume.kubernetes.io/selected-node': 'a'}},
             'spec': {'storageClassName': '%s', 'accessModes': ['ReadWriteOnce'],
               'resources': {'requests': {'storage': '1Mi'}}}}
            """
                .formatted(name, storageClass));
    return "pvc-" + Json.text(claim.path("metadata"), "uid");
  }

  private static void pod(BareMetalWorld world, String name, String... claims) {
    var volumes = new ArrayList<String>();
    for (var claim : claims)
      volumes.add(
          "{'name': '%s', 'persistentVolumeClaim': {'claimName': '%s'}}".formatted(claim, claim));
    make(
        world,
        Resources.PODS,
        """
        {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': '%s', 'namespace': 'default'},
         'spec': {'containers': [{'name': 'c', 'image': 'i'}], 'volumes': [%s]}}
        """
            .formatted(name, String.join(",", volumes)));
  }

  private static boolean made(CsiConnection driver, String volume) {
    try {
      create(driver, volume, 1, mount("ext4"));
      return true;
    } catch (CsiException refused) {
      assertThat(refused.code().name()).as(refused.getMessage()).isEqualTo("RESOURCE_EXHAUSTED");
      return false;
    }
  }

  /// BM-94: the first claim is not bound where the second cannot be.
  @Test
  void aPodThatNeedsTwoDrivesGetsNoneWhereThereIsOne() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      classes(world);
      var first = claim(world, "first", "any");
      claim(world, "second", "any");
      pod(world, "both", "first", "second");
      var driver = world.node("a");
      world.drive("A", Drive::available);
      assertThatThrownBy(() -> create(driver, first, 1, mount("ext4")))
          .isInstanceOf(CsiException.class)
          .hasMessageContaining("needs 2")
          .hasMessageContaining("can have 1");
      assertThat(world.all(BareMetalKinds.VOLUME)).isEmpty();
      assertThat(world.drive("A", Drive::available).meta().annotations())
          .doesNotContainKey("kept-for");
      // volumes that share a drive need none of their own
      claim(world, "third", "shared");
      var alone = claim(world, "alone", "any");
      pod(world, "other", "alone", "third");
      create(driver, alone, 1, mount("ext4"));
      delete(driver, alone);
    }
  }

  /// BM-91, BM-94: what its second claim will need is nobody else's meanwhile.
  @Test
  void theDriveOfTheSecondClaimIsKeptForIt() throws Exception {
    try (var world = BareMetalWorld.of(TWO)) {
      classes(world);
      var first = claim(world, "first", "any");
      var second = claim(world, "second", "any");
      pod(world, "both", "first", "second");
      var driver = world.node("a");
      for (var serial : List.of("A", "B")) world.drive(serial, Drive::available);
      create(driver, first, 1, mount("ext4"));
      assertThat(made(driver, "somebody-else")).isFalse();
      create(driver, second, 1, mount("ext4"));
      assertThat(world.all(BareMetalKinds.DRIVE))
          .allMatch(it -> it.claimant().isPresent())
          .noneMatch(it -> it.meta().hasAnnotation("kept-for"));
      delete(driver, first);
      delete(driver, second);
    }
  }

  /// BM-93, BM-94: the scheduler chooses the node of a pod. Where no drive is free there, none of
  /// another node is taken, though that would do for whoever asks: the pod would have its volumes
  /// on two nodes. What was kept for its companions is let go.
  @Test
  void noDriveOfAnotherNodeThanTheChosenOneIsTaken() throws Exception {
    try (var world =
        BareMetalWorld.of(
            """
            nodes:
            - {nodeID: a, driveCount: 0, drives: []}
            - {nodeID: b, driveCount: 2, drives: [{serialNumber: B, size: 32Mi}, {serialNumber: C, size: 32Mi}]}
            """)) {
      classes(world);
      var first = claim(world, "first", "any");
      var second = claim(world, "second", "any");
      pod(world, "both", "first", "second");
      var driver = world.node("b");
      var kept = world.drive("B", Drive::available);
      world.drive("C", Drive::available);
      var until = Instant.now().plusSeconds(100);
      new Registry(world.api).keep(kept, new Reservation(second, until));
      await().until(() -> world.drive("B", Drive::available).keptFor(Instant.now()).isPresent());
      var request = wanted(first, 1, mount("ext4"));
      for (var node : List.of("a", kept.nodeId())) {
        var place = Topology.newBuilder().putSegments(NodeVolumes.TOPOLOGY, node);
        request.getAccessibilityRequirementsBuilder().addRequisite(place).addPreferred(place);
      }
      assertThatThrownBy(() -> controller(driver).createVolume(request.build()))
          .isInstanceOf(CsiException.class)
          .hasMessageContaining("is free there");
      assertThat(world.drive("B", Drive::available).meta().annotations())
          .doesNotContainKey("kept-for");
      assertThat(world.all(BareMetalKinds.VOLUME)).isEmpty();
    }
  }

  /// BM-92, BM-94: of two pods at once, each of which needs two of three drives, none has one and
  /// waits for the other.
  @Test
  void twoPodsDoNotStarveEachOther() throws Exception {
    try (var world = BareMetalWorld.of(THREE)) {
      classes(world);
      var names = new ArrayList<String>();
      for (var pod : List.of("p", "q")) {
        for (int i = 0; i < 2; i++) names.add(claim(world, pod + i, "any"));
        pod(world, pod, pod + 0, pod + 1);
      }
      var node = world.node("a");
      var other = world.driver("", Set.of(Service.CONTROLLER));
      for (var serial : List.of("A", "B", "C")) world.drive(serial, Drive::available);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> {
            var calls = new ArrayList<Callable<Boolean>>();
            for (int i = 0; i < names.size(); i++) {
              var driver = i % 2 == 0 ? node : other;
              var name = names.get(i);
              calls.add(() -> made(driver, name));
            }
            var made = new ArrayList<Boolean>();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
              for (var outcome : threads.invokeAll(calls)) made.add(outcome.get());
            }
            var ofP = made.get(0) && made.get(1);
            var ofQ = made.get(2) && made.get(3);
            assertThat(ofP && ofQ).isFalse();
            return ofP != ofQ && made.stream().filter(it -> it).count() == 2;
          });
      for (var volume : world.all(BareMetalKinds.VOLUME)) delete(node, volume.id());
    }
  }
}
