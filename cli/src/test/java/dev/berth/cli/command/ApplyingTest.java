package dev.berth.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.cli.Problem;
import dev.berth.cli.manifest.Manifest;
import dev.berth.cli.option.FileOption;
import dev.berth.cli.session.Applying;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of a manifest is said, and what to do where it cannot become so.
class ApplyingTest {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: web, namespace: %s, finalizers: [example.com/held]}
      spec: {containers: [{name: app, image: host, command: [sleep, "%d"]}]}
      """;

  private static final String CLAIM =
      """
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: {name: data%s}
      spec: {accessModes: [%s], resources: {requests: {storage: 1Gi}}}
      """;

  @TempDir private Path folder;
  private EmbeddedApiServer server;
  private LocalApi api;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, Thread::startVirtualThread);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Manifest pod(String namespace, int seconds) throws Exception {
    var file = Files.writeString(folder.resolve("pod.yaml"), POD.formatted(namespace, seconds));
    return FileOption.manifests(List.of(file.toString()), "default").getFirst();
  }

  private Manifest claim(String labels, String mode) throws Exception {
    var file = Files.writeString(folder.resolve("claim.yaml"), CLAIM.formatted(labels, mode));
    return FileOption.manifests(List.of(file.toString()), "default").getFirst();
  }

  private String outcome(Manifest manifest) {
    return Applying.one(api, manifest).outcome().text();
  }

  @Test
  void anObjectThatIsBeingDeletedDoesNotPassForApplied() throws Exception {
    assertThat(outcome(pod("default", 1))).isEqualTo("created");
    assertThat(outcome(pod("default", 1))).isEqualTo("unchanged");
    api.delete(Resources.PODS, pod("default", 1).key(), DeleteOptions.DEFAULT);
    assertThat(outcome(pod("default", 1)))
        .isEqualTo("is being deleted: apply it again when it has gone");
  }

  /// A service account's token is mounted in every pod that does not say otherwise.
  @Test
  void whatTheServerMountsInAPodStays() throws Exception {
    var given = pod("default", 1);
    var stored = given.object().deepCopy();
    var spec = stored.withObject("spec");
    spec.withArray("volumes").addObject().put("name", "token").putObject("emptyDir");
    ((ObjectNode) spec.path("containers").path(0))
        .withArray("volumeMounts")
        .addObject()
        .put("name", "token")
        .put("mountPath", "/token");
    api.create(Resources.PODS, stored);
    assertThat(outcome(given)).isEqualTo("unchanged");
  }

  @Test
  void aPodThatCannotBeChangedIsToBeMadeAnew() throws Exception {
    Applying.one(api, pod("default", 1));
    assertThatThrownBy(() -> Applying.one(api, pod("default", 2)))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("- containers[0].command[1]: \"1\"\n")
        .hasMessageEndingWith("delete it and apply again: kubectl delete pod web -n default");
  }

  @Test
  void aClaimThatCannotBeChangedIsToBeMadeAnewAtThePriceOfItsData() throws Exception {
    Applying.one(api, claim("", "ReadWriteOnce"));
    assertThatThrownBy(() -> Applying.one(api, claim("", "ReadWriteMany")))
        .isInstanceOf(Problem.class)
        .hasMessageEndingWith(
            "\ndelete it and create it again; its data goes with it unless its volume's policy is"
                + " Retain: kubectl delete persistentvolumeclaim data -n default");
  }

  /// [Apply] says so.
  @Test
  void whatAManifestDoesNotSayStays() throws Exception {
    Applying.one(api, claim(", labels: {tier: gold}", "ReadWriteOnce"));
    assertThat(outcome(claim("", "ReadWriteOnce"))).isEqualTo("unchanged");
  }

  @Test
  void aMissingNamespaceIsToBeCreatedFirst() {
    assertThatThrownBy(() -> Applying.one(api, pod("nowhere", 1)))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("namespaces \"nowhere\" not found\nput a Namespace of that name");
  }

  /// Nothing of a stack waits for such a kind; the API server keeps it (API-01).
  @Test
  void whatOnlyTheServerKeepsIsAppliedToo() throws Exception {
    var file =
        Files.writeString(
            folder.resolve("more.yaml"),
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: reader}
            rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec: {ports: [{port: 80}]}
            """);
    var manifests = FileOption.manifests(List.of(file.toString()), "default");
    assertThat(manifests).hasSize(2);
    for (var manifest : manifests)
      assertThat(Applying.one(api, manifest).object().path("metadata").has("uid"))
          .as(manifest.title())
          .isTrue();
  }
}
