package dev.berth.node.pod.start;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerMount.Access;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.TestNode;
import dev.berth.node.token.PodTokens;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a container is started with.
class AssemblyTest {
  private EmbeddedApiServer server;
  private LocalApi api;
  private Assembly assembly;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, Thread::startVirtualThread);
    create(
        Resources.CONFIG_MAPS, "{metadata: {namespace: default, name: c}, data: {a: '1', b: '2'}}");
    create(Resources.SECRETS, "{metadata: {namespace: default, name: s}, data: {key: c2VzYW1l}}");
    assembly =
        new Assembly(
            api,
            new MemoryFiles(new MemoryDriver()),
            new PodTokens(api, Instant::now),
            "10.0.0.7",
            Map.of(),
            Optional.empty());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void create(Resource resource, String yaml) {
    api.create(resource, (ObjectNode) TestNode.yaml(yaml));
  }

  private static Pod pod(String container) {
    return Kinds.POD
        .read()
        .apply(
            TestNode.yaml(
                """
                metadata: {namespace: default, name: web, uid: pod-1, labels: {tier: front}}
                spec:
                  nodeName: n
                  containers: [{name: app, image: host, %s}]
                """
                    .formatted(container)));
  }

  private ContainerSpec spec(String container, MountedVolume... volumes) throws Exception {
    var pod = pod(container);
    Map<String, MountedVolume> claimed = Map.of();
    if (volumes.length > 0) claimed = Map.of("data", volumes[0]);
    return assembly.of(pod, ContainerTemplate.appsOf(pod).getFirst(), 0, claimed);
  }

  @Test
  void namesOfHostsAreMountedUnlessTheAuthorMountsSomethingThere() throws Exception {
    var named = "}]\n  hostAliases: [{ip: 10.0.0.9, hostnames: [db]}]\n  ignored: [{x: 1";
    assertThat(spec("args: [x]" + named).mounts())
        .extracting(ContainerMount::target)
        .containsExactly("/etc/hosts");
    assertThat(spec("args: [x]").mounts()).isEmpty();
    var own = new MountedVolume("pv-1", Path.of("/v"), false, OptionalInt.empty());
    assertThat(spec("volumeMounts: [{name: data, mountPath: /etc/hosts}]" + named, own).mounts())
        .extracting(ContainerMount::source)
        .containsExactly(Path.of("/v"));
  }

  /// NRUN-06: all of a source, then one by one; who comes later sees and replaces what was before.
  @Test
  void variablesComeFromEverywhere() throws Exception {
    var spec =
        spec(
            """
            command: [sh, $(FIRST), $$(FIRST), $(NONE)],
            args: [$(POD)],
            workingDir: /work,
            envFrom: [{prefix: C_, configMapRef: {name: c}}, {secretRef: {name: none, optional: true}}],
            env: [
              {name: FIRST, value: one},
              {name: SECOND, value: $(FIRST)-$(C_a)-$(LATER)},
              {name: LATER, value: x},
              {name: C_b, value: mine},
              {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}},
              {name: TIER, valueFrom: {fieldRef: {fieldPath: "metadata.labels['tier']"}}},
              {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}},
              {name: ACCOUNT, valueFrom: {fieldRef: {fieldPath: spec.serviceAccountName}}},
              {name: HOST, valueFrom: {fieldRef: {fieldPath: status.hostIP}}},
              {name: MAPPED, valueFrom: {configMapKeyRef: {name: c, key: b}}},
              {name: HIDDEN, valueFrom: {secretKeyRef: {name: s, key: key}}},
              {name: ABSENT, valueFrom: {secretKeyRef: {name: s, key: no, optional: true}}}]
            """
                .replace("\n", " "));
    assertThat(spec.program().environment())
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("C_a", "1"),
                Map.entry("C_b", "mine"),
                Map.entry("FIRST", "one"),
                Map.entry("SECOND", "one-1-$(LATER)"),
                Map.entry("LATER", "x"),
                Map.entry("POD", "web"),
                Map.entry("TIER", "front"),
                Map.entry("NODE", "n"),
                Map.entry("ACCOUNT", "default"),
                Map.entry("HOST", "10.0.0.7"),
                Map.entry("MAPPED", "2"),
                Map.entry("HIDDEN", "sesame")));
    assertThat(spec.program().command()).containsExactly("sh", "one", "$(FIRST)", "$(NONE)", "web");
    assertThat(spec.program().workingDirectory()).isEqualTo("/work");
  }

  @Test
  void aKeyThatIsMissingKeepsTheContainerFromStarting() { // NRUN-06
    assertThatThrownBy(
            () -> spec("env: [{name: A, valueFrom: {configMapKeyRef: {name: c, key: z}}}]"))
        .isInstanceOf(UnusableException.class)
        .hasMessage("couldn't find key z in ConfigMap default/c");
  }

  /// NCSI-05: if the claim's reference says so, or the mount.
  @Test
  void aMountIsReadOnlyIfEitherSaysSo() throws Exception {
    var ways =
        "volumeMounts: [{name: data, mountPath: /w}, {name: data, mountPath: /r, readOnly: true}]";
    assertThat(access(spec(ways, volume(false))))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("/w", Access.READ_WRITE, "/r", Access.READ_ONLY));
    assertThat(access(spec(ways, volume(true))))
        .containsOnlyKeys("/w", "/r")
        .values()
        .containsOnly(Access.READ_ONLY);
  }

  private static MountedVolume volume(boolean readOnly) {
    return new MountedVolume("pv-1", Path.of("/v"), readOnly, OptionalInt.of(4711));
  }

  private static Map<String, Access> access(ContainerSpec spec) {
    return spec.mounts().stream().collect(toMap(ContainerMount::target, ContainerMount::access));
  }
}
