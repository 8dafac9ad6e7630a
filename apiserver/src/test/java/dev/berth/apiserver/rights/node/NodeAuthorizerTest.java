package dev.berth.apiserver.rights.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.Server;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// API-12: a node reads what its pods refer to and writes about itself.
class NodeAuthorizerTest {
  private static final User NODE =
      User.authenticated("system:node:a", "", List.of(User.NODES), Map.of());

  private final Server server = new Server();
  private final NodeAuthorizer authorizer = new NodeAuthorizer();

  @BeforeEach
  void prepare() throws Exception {
    pod("mine", "a");
    pod("other", "b");
    for (var name : List.of("mine", "other")) {
      server.create(
          Resources.VOLUMES,
          """
          metadata: {name: pv-%1$s}
          spec:
            accessModes: [ReadWriteOnce]
            capacity: {storage: 1Gi}
            claimRef: {namespace: default, name: claim-%1$s}
            csi:
              driver: disk.example
              volumeHandle: h
              nodeStageSecretRef: {name: stage-%1$s, namespace: vault}
              controllerPublishSecretRef: {name: control-%1$s, namespace: vault}
          """
              .formatted(name));
      server.create(
          Resources.CLAIMS,
          """
          metadata: {name: claim-%1$s}
          spec:
            accessModes: [ReadWriteOnce]
            volumeName: pv-%1$s
            resources: {requests: {storage: 1Gi}}
          """
              .formatted(name));
    }
    attachment("va-mine", "a");
    attachment("va-other", "b");
  }

  private void pod(String name, String node) throws Exception {
    server.create(Resources.SERVICE_ACCOUNTS, "metadata: {name: account-%s}".formatted(name));
    server.create(
        Resources.PODS,
        """
        metadata: {name: %1$s}
        spec:
          nodeName: %2$s
          serviceAccountName: account-%1$s
          containers:
          - {name: c, image: i, envFrom: [{secretRef: {name: env-%1$s}}]}
          volumes:
          - {name: s, secret: {secretName: secret-%1$s}}
          - {name: c, configMap: {name: map-%1$s}}
          - {name: d, persistentVolumeClaim: {claimName: claim-%1$s}}
        """
            .formatted(name, node));
  }

  private void attachment(String name, String node) throws Exception {
    server.create(
        Resources.ATTACHMENTS,
        "{metadata: {name: %s}, spec: {attacher: d, nodeName: %s, source: {persistentVolumeName: p}}}"
            .formatted(name, node));
  }

  /// A node makes such pods by itself.
  @ParameterizedTest
  @ValueSource(strings = {"s", "pull"})
  void aMirrorPodGivesItsNodeNothing(String secret) throws Exception {
    server.create(
        Resources.PODS,
        """
        metadata: {name: mirror, annotations: {kubernetes.io/config.mirror: h}}
        spec:
          nodeName: a
          imagePullSecrets: [{name: pull}]
          containers:
          - {name: c, image: i, envFrom: [{secretRef: {name: s}}]}
        """);
    assertThat(may(NODE, "/api/v1/namespaces/default/secrets/" + secret, "GET", "")).isFalse();
  }

  private boolean may(User user, String path, String method, String fields) {
    var segments = List.of(path.substring(1).split("/"));
    var wish = Attributes.of(method, segments, path, false, fields);
    return authorizer.decide(user, wish, server.state()).allowed();
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/namespaces/default/secrets/secret-mine, GET, true",
    "/api/v1/namespaces/default/secrets/secret-other, GET, false",
    "/api/v1/namespaces/default/secrets/env-mine, GET, true",
    "/api/v1/namespaces/other/secrets/secret-mine, GET, false",
    "/api/v1/namespaces/default/secrets/secret-mine, DELETE, false",
    "/api/v1/namespaces/default/secrets, GET, false",
    "/api/v1/secrets, GET, false",
    "/api/v1/namespaces/vault/secrets/stage-mine, GET, true",
    "/api/v1/namespaces/vault/secrets/stage-other, GET, false",
    "/api/v1/namespaces/vault/secrets/control-mine, GET, false",
    "/api/v1/namespaces/default/configmaps/map-mine, GET, true",
    "/api/v1/namespaces/default/configmaps/map-other, GET, false",
    "/api/v1/namespaces/default/persistentvolumeclaims/claim-mine, GET, true",
    "/api/v1/namespaces/default/persistentvolumeclaims/claim-mine/status, PATCH, true",
    "/api/v1/namespaces/default/persistentvolumeclaims/claim-other, GET, false",
    "/api/v1/persistentvolumes/pv-mine, GET, true",
    "/api/v1/persistentvolumes/pv-other, GET, false",
    "/api/v1/persistentvolumes, GET, false",
    "/apis/storage.k8s.io/v1/volumeattachments/va-mine, GET, true",
    "/apis/storage.k8s.io/v1/volumeattachments/va-other, GET, false",
    "/apis/storage.k8s.io/v1/volumeattachments/va-mine, PATCH, false",
    "/api/v1/namespaces/default/serviceaccounts/account-mine/token, POST, true",
    "/api/v1/namespaces/default/serviceaccounts/account-other/token, POST, false",
    "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a, PUT, true",
    "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/b, PUT, false",
    "/apis/coordination.k8s.io/v1/namespaces/default/leases/a, PUT, false",
    "/apis/storage.k8s.io/v1/csinodes/a, PATCH, true",
    "/apis/storage.k8s.io/v1/csinodes/b, PATCH, false",
    "/apis/storage.k8s.io/v1/csinodes/a/status, PATCH, true",
    "/apis/storage.k8s.io/v1/csinodes/b/status, PATCH, false",
    "/apis/storage.k8s.io/v1/csinodes/a/status, DELETE, false",
    "/apis/storage.k8s.io/v1/csidrivers, GET, true",
    "/apis/storage.k8s.io/v1/csidrivers/x, DELETE, false",
    "/api/v1/nodes, POST, true",
    "/api/v1/nodes/a/status, PATCH, true",
    "/api/v1/nodes/b/status, PATCH, false",
    "/api/v1/nodes/a, DELETE, false",
    "/api/v1/namespaces/default/pods/mine/status, PATCH, true",
    "/api/v1/namespaces/default/pods/other/status, PATCH, false",
    "/api/v1/namespaces/default/pods/mine, DELETE, true",
    "/api/v1/namespaces/default/pods/other, DELETE, false",
    "/api/v1/pods, GET, false",
    "/api/v1/namespaces/default/events, POST, true",
    "/metrics, GET, false",
  })
  void aNodeSeesWhatItsPodsReferTo(String path, String method, boolean allowed) {
    assertThat(may(NODE, path, method, "")).isEqualTo(allowed);
    var stranger = User.authenticated("system:node:a", "", List.of(), Map.of());
    assertThat(may(stranger, path, method, "")).isFalse();
  }

  @Test
  void aNodeListsItsOwn() {
    assertThat(may(NODE, "/api/v1/pods", "GET", "spec.nodeName=a")).isTrue();
    assertThat(may(NODE, "/api/v1/pods", "GET", "spec.nodeName=b")).isFalse();
    assertThat(may(NODE, "/api/v1/pods", "GET", "spec.nodeName!=a")).isFalse();
    assertThat(may(NODE, "/api/v1/nodes", "GET", "metadata.name=a")).isTrue();
    assertThat(may(NODE, "/api/v1/nodes", "GET", "")).isFalse();
  }

  @Test
  void whatAPodLeavesIsSeenNoMore() throws Exception {
    var secret = "/api/v1/namespaces/default/secrets/secret-mine";
    assertThat(may(NODE, secret, "GET", "")).isTrue();
    server.delete(Resources.PODS, ObjectKey.of("default", "mine"), 0);
    assertThat(may(NODE, secret, "GET", "")).isFalse();
  }

  /// Whoever makes claims names what he likes.
  @Test
  void aClaimThatOnlyNamesAVolumeShowsNothingOfIt() throws Exception {
    server.create(
        Resources.CLAIMS,
        """
        metadata: {name: thief}
        spec: {accessModes: [ReadWriteOnce], volumeName: pv-other, resources: {requests: {storage: 1Gi}}}
        """);
    server.create(
        Resources.PODS,
        """
        metadata: {name: thief}
        spec:
          nodeName: a
          containers: [{name: c, image: i}]
          volumes: [{name: d, persistentVolumeClaim: {claimName: thief}}]
        """);
    assertThat(may(NODE, "/api/v1/namespaces/default/persistentvolumeclaims/thief", "GET", ""))
        .isTrue();
    assertThat(may(NODE, "/api/v1/persistentvolumes/pv-other", "GET", "")).isFalse();
    assertThat(may(NODE, "/api/v1/namespaces/vault/secrets/stage-other", "GET", "")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {kind: Pod, name: mine, uid: u}  | true
          {kind: Pod, name: mine}          | false
          {kind: Pod, name: other, uid: u} | false
          {kind: Node, name: a, uid: u}    | false
          """)
  void aNodeHasTokensForItsPodsOnly(String ref, boolean allowed) throws Exception {
    var request = Server.tree("{spec: {boundObjectRef: " + ref + "}}");
    var account = ObjectKey.of("default", "account-mine");
    var refused = NodeRestriction.checkToken(NODE, account, request, server.state(), _ -> false);
    assertThat(refused.isEmpty()).isEqualTo(allowed);
  }

  /// With a token for somebody else it would be the pod's account there.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          []             | true
          [vault]        | true
          [disk]         | true
          [inline]       | true
          [elsewhere]    | false
          [vault, disk]  | false
          """)
  void aNodeHasTokensForThoseWhomThePodTalksToOnly(String audiences, boolean allowed)
      throws Exception {
    for (var driver : List.of("disk", "inline"))
      server.create(
          Resources.CSI_DRIVERS,
          "{metadata: {name: %1$s.example}, spec: {tokenRequests: [{audience: %1$s}]}}"
              .formatted(driver));
    server.create(
        Resources.PODS,
        """
        metadata: {name: talks}
        spec:
          nodeName: a
          serviceAccountName: account-mine
          containers: [{name: c, image: i}]
          volumes:
          - {name: v, projected: {sources: [{serviceAccountToken: {path: t, audience: vault}}]}}
          - {name: d, persistentVolumeClaim: {claimName: claim-mine}}
          - {name: i, csi: {driver: inline.example}}
        """);
    var request =
        Server.tree(
            "{spec: {audiences: %s, boundObjectRef: {kind: Pod, name: talks, uid: u}}}"
                .formatted(audiences));
    var account = ObjectKey.of("default", "account-mine");
    var asked = new ArrayList<Attributes>();
    var refused = NodeRestriction.checkToken(NODE, account, request, server.state(), asked::add);
    assertThat(refused.isEmpty()).isEqualTo(allowed || !asked.isEmpty());
    assertThat(
            NodeRestriction.checkToken(NODE, account, request, server.state(), _ -> false)
                .isEmpty())
        .isEqualTo(allowed);
    // What its volumes do not say a role may.
    if (audiences.equals("[elsewhere]"))
      assertThat(asked)
          .containsExactly(
              Attributes.of(
                  "request-serviceaccounts-token-audience",
                  "",
                  "elsewhere",
                  "",
                  "default",
                  "account-mine"));
    else assertThat(asked).isEmpty();
  }
}
