package dev.berth.explain;

import dev.berth.controller.attachdetach.AttachDetach;
import dev.berth.controller.binder.Binder;
import dev.berth.controller.protection.Protection;
import dev.berth.controller.scheduler.Scheduler;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Ref;
import dev.berth.kube.model.Resource;
import dev.berth.kube.model.Resources;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.node.volume.VolumeManager;
import dev.berth.sidecar.attacher.Attacher;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.Provisioner;
import dev.berth.sidecar.reclaimer.Reclaimer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/// All components that decide over storage, ready to be asked and never to act.
public final class Voices {
  /// What a snapshot must hold to be explained.
  public static final List<Kind<?>> KINDS =
      List.of(
          Kinds.CLAIM,
          Kinds.VOLUME,
          Kinds.STORAGE_CLASS,
          Kinds.ATTACHMENT,
          Kinds.POD,
          Kinds.NODE,
          Kinds.CSI_NODE,
          Kinds.CSI_DRIVER,
          Kinds.STORAGE_CAPACITY);

  private static final EventRecorder SILENT = _ -> {};

  private Voices() {}

  /// In the order of the life cycle.
  ///
  /// @param api handed to the controllers; nothing is asked of it
  public static List<Voice> all(Api api, Snapshot objects) {
    var voices = new ArrayList<Voice>();
    controllers(voices, api);
    for (var driver : drivers(objects)) sidecars(voices, DriverFacts.supposed(driver, objects));
    voices.add(Voice.of("node agent", Voices::nodeAgent));
    return voices;
  }

  private static void controllers(List<Voice> voices, Api api) {
    var scheduler = new Scheduler(api, SILENT, Scheduler.Options.DEFAULT);
    voices.add(Voice.of("scheduler", scheduler.pods(), (ref, _) -> key(ref, Resources.PODS)));
    var binder = new Binder(api, SILENT, Binder.Options.DEFAULT);
    voices.add(Voice.of("binder", binder.claims(), (ref, _) -> key(ref, Resources.CLAIMS)));
    voices.add(Voice.of("binder", binder.volumes(), (ref, _) -> key(ref, Resources.VOLUMES)));
    var attachDetach = new AttachDetach(api, SILENT, AttachDetach.Options.DEFAULT);
    voices.add(
        Voice.of(
            "attach/detach controller", attachDetach.pods(), (ref, _) -> key(ref, Resources.PODS)));
    var protection = new Protection(api);
    voices.add(
        Voice.of("claim protection", protection.claims(), (ref, _) -> key(ref, Resources.CLAIMS)));
    voices.add(
        Voice.of(
            "volume protection", protection.volumes(), (ref, _) -> key(ref, Resources.VOLUMES)));
  }

  private static void sidecars(List<Voice> voices, DriverFacts driver) {
    voices.add(
        Voice.of(
            "provisioner of " + driver.name(),
            Provisioner.explaining(driver),
            (ref, _) -> key(ref, Resources.CLAIMS)));
    voices.add(
        Voice.of(
            "provisioner of " + driver.name(),
            Reclaimer.explaining(driver),
            (ref, _) -> key(ref, Resources.VOLUMES)));
    voices.add(
        Voice.of(
            "attacher of " + driver.name(),
            Attacher.explaining(driver),
            (ref, _) -> key(ref, Resources.ATTACHMENTS).map(key -> Attacher.subject(key.name()))));
  }

  private static TreeSet<String> drivers(Snapshot objects) {
    var drivers = new TreeSet<String>();
    objects.all(Kinds.CSI_DRIVER).forEach(driver -> drivers.add(driver.meta().name()));
    objects.all(Kinds.VOLUME).stream()
        .flatMap(volume -> volume.csi().stream())
        .map(Volume.CsiSource::driver)
        .forEach(drivers::add);
    objects.all(Kinds.STORAGE_CLASS).forEach(each -> drivers.add(each.provisioner()));
    drivers.removeIf(name -> name.isEmpty() || name.startsWith("kubernetes.io/"));
    return drivers;
  }

  private static Stream<Step> nodeAgent(Ref ref, Snapshot objects, Instant now) {
    return key(ref, Resources.PODS)
        .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
        .filter(pod -> !pod.nodeName().isEmpty())
        .flatMap(pod ->
            volumes(pod, objects)
                .map(name -> VolumeManager.explain(objects, now, pod.nodeName(), name)));
  }

  private static Stream<VolumeName> volumes(Pod pod, Snapshot objects) {
    return pod.claimNames()
        .map(name -> ObjectKey.of(pod.meta().namespace(), name))
        .flatMap(key -> objects.get(Kinds.CLAIM, key).found().stream())
        .filter(claim -> !claim.volumeName().isEmpty())
        .flatMap(claim ->
            objects.get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName())).found().stream())
        .flatMap(volume -> volume.csi().map(VolumeName::of).stream());
  }

  private static Stream<ObjectKey> key(Ref ref, Resource resource) {
    return ref.resource().equals(resource) ? Stream.of(ref.key()) : Stream.empty();
  }
}
