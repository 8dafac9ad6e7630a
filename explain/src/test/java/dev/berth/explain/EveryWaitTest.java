package dev.berth.explain;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.scheduler.Scheduler;
import dev.berth.driver.baremetal.BareMetalDeciders;
import dev.berth.node.volume.Volumes;
import dev.berth.sidecar.attacher.Attacher;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/// Every wait that a component can come to is told in some world: whoever writes a new one writes
/// the folder that shows how a person meets it.
class EveryWaitTest {
  /// One class of each module whose components decide.
  private static final List<Class<?>> MODULES =
      List.of(
          Scheduler.class, Attacher.class, Volumes.class, Explainer.class, BareMetalDeciders.class);

  /// Waits that the objects of a cluster cannot show, by method, with what is told instead.
  private static final Map<String, String> UNSEEN =
      Map.ofEntries(
          entry(
              "dev.berth.controller.binder.Provisioning.untilVolumeExists",
              "that dynamic provisioning is switched off stands in the binder's options only"),
          entry(
              "dev.berth.node.drain.Drain.untilEmpty",
              "that the agent was told to end stands in no object"),
          entry(
              "dev.berth.node.volume.need.Needs.untilKnown",
              "what an agent has not looked up yet only it knows, and for a moment"),
          entry(
              "dev.berth.controller.scheduler.PodRules.foreign",
              "the ephemeral volume controller says the same, and is asked first"),
          entry(
              "dev.berth.node.volume.need.DriverVolume.claimed",
              "the ephemeral volume controller says the same, and is asked first"),
          entry(
              "dev.berth.node.pod.PodWaits.untilMounted",
              "the decision about the volume is asked first, and says why"),
          entry(
              "dev.berth.node.pod.PodWaits.untilUnmounted",
              "the decision about the volume is asked first, and says why"),
          entry(
              "dev.berth.node.pod.PodWaits.untilSupported",
              "another agent may be able to; what this one cannot do stands in the pod's status"),
          entry(
              "dev.berth.node.volume.MountWaits.untilNodeExists",
              "who asks after a node that is not there is told that it has not joined"),
          entry(
              "dev.berth.sidecar.modifier.ModifyWaits.untilVolumeExists",
              "the binder says that the claim has lost its volume, and is asked first"),
          entry(
              "dev.berth.sidecar.resizer.GrowthWaits.untilVolumeExists",
              "the binder says that the claim has lost its volume, and is asked first"),
          entry(
              "dev.berth.sidecar.nodeplugin.TaintDecision.untilCounted",
              "a driver's pod waits for that once, at its start"),
          entry(
              "dev.berth.sidecar.provisioner.Hindrances.capability",
              "what a driver can do only it knows; the provisioner's event says it"),
          entry(
              "dev.berth.sidecar.provisioner.Hindrances.lacks",
              "what a driver can do only it knows; the provisioner's event says it"),
          entry(
              "dev.berth.sidecar.provisioner.PlacementDecision.untilAnyRegistered",
              "that a driver has topology is seen from the nodes on which it has registered"),
          entry(
              "dev.berth.sidecar.provisioner.ProvisionDecision.untilClassExists",
              "the binder says the same, and is asked first"),
          entry(
              "dev.berth.sidecar.reclaimer.ReclaimDecision.untilDriverDeletes",
              "what a driver can do only it knows; the provisioner's event says it"),
          entry(
              "dev.berth.sidecar.snapshotter.ContentWaits.untilANodeHasIt",
              "that there is a sidecar for each node stands in the sidecars' options only"));

  @Test
  void isToldInSomeWorld() throws Exception {
    var missing = new TreeSet<String>();
    for (var module : MODULES) missing.addAll(beginnings(module));
    assertThat(missing).as("waits found in the code").hasSizeGreaterThan(100);
    missing.removeAll(told());
    assertThat(missing.stream().map(EveryWaitTest::method))
        .as("waits of which no folder in src/test/resources/worlds tells: %s", missing)
        .isSubsetOf(UNSEEN.keySet());
    assertThat(missing.stream().map(EveryWaitTest::method).toList())
        .as("waits that are said to be unseen, and are not")
        .containsAll(UNSEEN.keySet());
  }

  private static String method(String place) {
    return place.substring(0, place.lastIndexOf(':'));
  }

  @SuppressWarnings("unchecked")
  private static Set<String> told() throws Exception {
    return ((Callable<Set<String>>)
            new MarkingLoader(EveryWaitTest.class.getClassLoader())
                .loadClass(ToldWaits.class.getName())
                .getConstructor()
                .newInstance())
        .call();
  }

  private static Set<String> beginnings(Class<?> ofModule) throws Exception {
    var place = Path.of(ofModule.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) return beginnings(place);
    try (var jar = FileSystems.newFileSystem(place)) {
      return beginnings(jar.getPath("/"));
    }
  }

  private static Set<String> beginnings(Path classes) throws IOException {
    var found = new TreeSet<String>();
    try (var files = Files.walk(classes)) {
      for (var file : files.filter(it -> it.toString().endsWith(".class")).toList())
        found.addAll(MarkingLoader.beginnings(ClassFile.of().parse(Files.readAllBytes(file))));
    }
    return found;
  }
}
