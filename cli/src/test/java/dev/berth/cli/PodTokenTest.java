package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A pod calls the API server as its service account, by nothing but what every pod gets (API-114,
/// NRUN-05).
class PodTokenTest {
  private static final String ROLE =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: reader}
      rules: [{apiGroups: [""], resources: [configmaps], verbs: [list, get]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: reader}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
      subjects: [{kind: ServiceAccount, name: default}]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: caller}
      spec:
        restartPolicy: Never
        containers:
        - name: main
          image: host
          command: [sh, -c]
          args:
          - |
            echo "found at $KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT"
            cat /var/run/secrets/kubernetes.io/serviceaccount/namespace; echo
            env -u KUBECONFIG HOME=/tmp kubectl --cache-dir /tmp/cache get configmaps -o name
            env -u KUBECONFIG HOME=/tmp kubectl --cache-dir /tmp/cache get secrets -o name
            ls -l /own
          volumeMounts: [{name: own, mountPath: /own}]
        volumes:
        - name: own
          projected:
            sources:
            - serviceAccountToken: {audience: vault, expirationSeconds: 600, path: vault}
            - downwardAPI: {items: [{path: who, fieldRef: {fieldPath: metadata.name}}]}
      """;

  private @Nullable Shell opened;

  @BeforeEach
  void aHome() throws IOException {
    opened = Shell.open("token");
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (opened != null) opened.end();
  }

  @Test
  void aPodReadsWhatItsAccountMay() throws Exception {
    var shell = Objects.requireNonNull(opened);
    var kubectl = Kubectl.of(shell);
    shell.up().isUp();
    kubectl.apply(ROLE);
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() ->
            kubectl
                .run("get", "pod", "caller", "-o", "jsonpath={.status.phase}")
                .matches("Succeeded|Failed"));
    assertThat(kubectl.run("logs", "caller"))
        .contains("found at 127.0.0.1:", "default\n", "configmap/kube-root-ca.crt")
        .contains("User \"system:serviceaccount:default:default\" cannot list resource \"secrets\"")
        .contains("vault -> ..data/vault", "who -> ..data/who");
  }
}
