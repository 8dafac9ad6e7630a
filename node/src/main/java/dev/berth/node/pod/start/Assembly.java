package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.PodVolume.Source;
import dev.berth.kube.value.Json;
import dev.berth.linux.mount.Propagation;
import dev.berth.node.runtime.ContainerDevice;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerMount.Access;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.ContainerSpec.Root;
import dev.berth.node.runtime.ImageRequest;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.User;
import dev.berth.node.token.PodTokens;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Makes all that a container needs on the machine, and says to the runtime how to start it.
public final class Assembly {
  private static final String HOSTS = "/etc/hosts";

  private final Api api;
  private final PodFiles files;
  private final PodTokens tokens;
  private final String address;
  private final Map<String, String> capacity;
  private final Map<String, String> server;

  /// @param address of the node, for the downward API
  /// @param capacity of the node, likewise
  /// @param server where the API server is reached from here; empty: pods are not told
  public Assembly(
      Api api,
      PodFiles files,
      PodTokens tokens,
      String address,
      Map<String, String> capacity,
      Optional<InetSocketAddress> server) {
    this.api = api;
    this.files = files;
    this.tokens = tokens;
    this.address = address;
    this.capacity = Map.copyOf(capacity);
    this.server = server.map(ServerVariables::of).orElse(Map.of());
  }

  /// Brings the files of a pod's volumes up to date, as many as can be.
  ///
  /// @throws UnusableException if some stay as they were: the first reason
  public void renew(Pod pod) throws UnusableException, IOException {
    var local = local(pod);
    Optional<UnusableException> failure = Optional.empty();
    for (var volume : pod.volumes())
      if (volume.source() instanceof Source.Local(var type, var spec)) {
        try {
          local.renew(volume, type, spec);
        } catch (UnusableException stale) {
          if (failure.isEmpty()) failure = Optional.of(stale);
        }
      }
    if (failure.isPresent()) throw failure.get();
  }

  /// Nothing more is made for the pod.
  public void forget(String podUid) {
    tokens.forget(podUid);
  }

  private LocalVolumes local(Pod pod) {
    return new LocalVolumes(
        pod, files, new KeyedData(api, pod.meta().namespace()), fields(pod), tokens);
  }

  private FieldReference fields(Pod pod) {
    return new FieldReference(pod, address, new ResourceReference(pod, capacity));
  }

  /// Prepares one run of a container.
  ///
  /// @param claimed the pod's volumes that drivers have published, by their names in the pod
  public ContainerSpec of(
      Pod pod, ContainerTemplate container, int attempt, Map<String, MountedVolume> claimed)
      throws UnusableException, IOException {
    var id = new ContainerId(pod.meta().uid(), container.name(), attempt);
    var data = new KeyedData(api, pod.meta().namespace());
    var environment = Environment.of(server, container, fields(pod), data);
    var volumes = new LinkedHashMap<>(claimed);
    var local = local(pod);
    for (var volume : pod.volumes())
      if (volume.source() instanceof Source.Local(var type, var spec) && uses(container, volume))
        volumes.put(volume.name(), local.make(volume, type, spec));
    return new ContainerSpec(
        id,
        container.image(),
        hostName(pod),
        program(container, environment),
        user(pod, container, claimed),
        rights(container),
        container.spec().path("securityContext").path("readOnlyRootFilesystem").asBoolean()
            ? Root.READ_ONLY
            : Root.WRITABLE,
        mounts(pod, container, environment, volumes),
        devices(container, volumes),
        files.log(pod.meta(), id),
        Optional.of(
            Json.optionalText(container.spec(), "terminationMessagePath")
                .orElse("/dev/termination-log")),
        EngineSpecs.of(pod, container, environment));
  }

  private static boolean uses(ContainerTemplate container, PodVolume volume) {
    return container
        .spec()
        .path("volumeMounts")
        .valueStream()
        .anyMatch(mount -> Json.text(mount, "name").equals(volume.name()));
  }

  static String hostName(Pod pod) {
    return Json.optionalText(pod.spec(), "hostname").orElse(pod.meta().name());
  }

  /// What image the container wants, and how it may be had.
  public ImageRequest image(Pod pod, ContainerTemplate container) {
    var data = new KeyedData(api, pod.meta().namespace());
    var name = container.image();
    return new ImageRequest(
        pod.meta().uid(),
        name,
        PullSecrets.policy(container),
        () -> new PullSecrets(data).logins(pod, name));
  }

  private static Program program(ContainerTemplate container, Map<String, String> environment) {
    var command = new ArrayList<String>();
    for (var field : List.of("command", "args"))
      for (var word : container.spec().path(field))
        command.add(Expansion.of(word.asText(), environment));
    return new Program(command, environment, Json.text(container.spec(), "workingDir"));
  }

  private static User user(Pod pod, ContainerTemplate container, Map<String, MountedVolume> volumes)
      throws UnusableException {
    var ofPod = pod.spec().path("securityContext");
    var own = container.spec().path("securityContext");
    var asked = either(own, ofPod, "runAsUser");
    int uid = identity("runAsUser", asked);
    if (asked.isNumber() && uid == 0 && either(own, ofPod, "runAsNonRoot").asBoolean())
      throw new UnusableException(
          "container's runAsUser breaks non-root policy (pod: \"%s_%s(%s)\", container: %s)"
              .formatted(
                  pod.meta().name(), pod.meta().namespace(), pod.meta().uid(), container.name()));
    var groups = new TreeSet<Integer>();
    for (var group : ofPod.path("supplementalGroups"))
      groups.add(identity("supplementalGroups", group));
    if (ofPod.hasNonNull("fsGroup")) groups.add(identity("fsGroup", ofPod.path("fsGroup")));
    volumes.values().forEach(volume -> volume.group().ifPresent(groups::add)); // NVM-17
    int gid = identity("runAsGroup", either(own, ofPod, "runAsGroup"));
    return new User(uid, gid, List.copyOf(groups));
  }

  /// Who calls the kernel with -1 stays who he is, which is root. The API server refuses what is no
  /// identity, but did not always.
  private static int identity(String field, JsonNode asked) throws UnusableException {
    long number = asked.asLong(0);
    if (number < 0 || number > Integer.MAX_VALUE)
      throw new UnusableException("%s %d is not between 0 and 2147483647".formatted(field, number));
    return (int) number;
  }

  static JsonNode either(JsonNode first, JsonNode second, String field) {
    return first.hasNonNull(field) ? first.path(field) : second.path(field);
  }

  private static Rights rights(ContainerTemplate container) {
    var context = container.spec().path("securityContext");
    if (context.path("privileged").asBoolean()) return Rights.PRIVILEGED;
    return context.path("allowPrivilegeEscalation").asBoolean(true)
        ? Rights.ORDINARY
        : Rights.NO_NEW_PRIVILEGES;
  }

  /// NRUN-04.
  private List<ContainerMount> mounts(
      Pod pod,
      ContainerTemplate container,
      Map<String, String> environment,
      Map<String, MountedVolume> volumes)
      throws UnusableException, IOException {
    var mounts = new ArrayList<ContainerMount>();
    for (var mount : container.spec().path("volumeMounts")) {
      var volume = volumes.get(Json.text(mount, "name"));
      if (volume == null)
        throw new UnusableException(
            "cannot find volume \"%s\" to mount into container \"%s\""
                .formatted(Json.text(mount, "name"), container.name()));
      var subPath = subPath(mount, environment);
      var source =
          subPath.isEmpty()
              ? volume.path()
              : files.part(pod.meta().uid(), container.name(), mounts.size(), volume, subPath);
      var target = Json.text(mount, "mountPath");
      mounts.add(
          new ContainerMount(
              source,
              target.startsWith("/") ? target : "/" + target,
              access(mount, volume),
              propagation(mount, volume)));
    }
    // What the author mounts there himself counts.
    if (mounts.stream().noneMatch(mount -> mount.target().equals(HOSTS))) {
      var hosts = HostsFile.of(pod, files.machineHosts());
      if (hosts.isPresent())
        mounts.add(
            new ContainerMount(
                files.hosts(pod.meta().uid(), hosts.get()),
                HOSTS,
                Access.READ_WRITE,
                Propagation.PRIVATE));
    }
    return mounts;
  }

  /// NBLK-04.
  private static List<ContainerDevice> devices(
      ContainerTemplate container, Map<String, MountedVolume> volumes) throws UnusableException {
    var devices = new ArrayList<ContainerDevice>();
    for (var device : container.spec().path("volumeDevices")) {
      var volume = volumes.get(Json.text(device, "name"));
      if (volume == null)
        throw new UnusableException(
            "cannot find volume \"%s\" to pass into container \"%s\""
                .formatted(Json.text(device, "name"), container.name()));
      var path = Json.text(device, "devicePath");
      if (!path.startsWith("/"))
        throw new UnusableException("error in volumeDevices: %s is not absolute".formatted(path));
      devices.add(
          new ContainerDevice(
              volume.path(),
              path,
              volume.readOnly()
                  ? ContainerDevice.Access.READ_ONLY
                  : ContainerDevice.Access.READ_WRITE));
    }
    return devices;
  }

  private static String subPath(JsonNode mount, Map<String, String> environment)
      throws UnusableException {
    return mount.hasNonNull("subPathExpr")
        ? Expansion.strictly(Json.text(mount, "subPathExpr"), environment)
        : Json.text(mount, "subPath");
  }

  /// Read-only if either the claim's reference or the mount says so (NCSI-05).
  private static Access access(JsonNode mount, MountedVolume volume) {
    if (!volume.readOnly() && !mount.path("readOnly").asBoolean()) return Access.READ_WRITE;
    return switch (Json.text(mount, "recursiveReadOnly")) {
      case "Enabled" -> Access.READ_ONLY_TREE;
      case "IfPossible" -> Access.READ_ONLY_TREE_IF_POSSIBLE;
      case String _ -> Access.READ_ONLY;
    };
  }

  /// A container that sees the kubelet's own directories must lose a mount when the node does: a
  /// private copy of it would keep every volume busy (NRUN-02). Else as NSUB-06 has it.
  private Propagation propagation(JsonNode mount, MountedVolume volume) {
    return switch (Json.text(mount, "mountPropagation")) {
      case "Bidirectional" -> Propagation.SHARED;
      case "HostToContainer" -> Propagation.SLAVE;
      case String _ -> files.holdsVolumes(volume.path()) ? Propagation.SLAVE : Propagation.PRIVATE;
    };
  }
}
