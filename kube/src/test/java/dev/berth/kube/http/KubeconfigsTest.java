package dev.berth.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.http.Kubeconfigs.Surroundings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What kubeconfigs say, with the files and programs that they name.
class KubeconfigsTest {
  private static final String YAML =
      """
      apiVersion: v1
      kind: Config
      current-context: it
      clusters: [{name: c, cluster: {server: "https://127.0.0.1:1", certificate-authority: pki/ca}}]
      contexts: [{name: it, context: {cluster: c, user: u, namespace: n}}]
      users: [{name: u, user: {%s}}]
      """;
  private static final String JSON =
      """
      {"apiVersion": "v1", "kind": "Config", "current-context": "it",
       "clusters": [{"name": "c", "cluster": {
         "server": "https://127.0.0.1:1", "certificate-authority": "pki/ca"}}],
       "contexts": [{"name": "it", "context": {"cluster": "c", "user": "u", "namespace": "n"}}],
       "users": [{"name": "u", "user": {%s}}]}
      """;

  @TempDir private Path folder;

  private Path kubeconfig(String form, String user) throws IOException {
    var file = folder.resolve("kubeconfig");
    return Files.writeString(file, form.formatted(user));
  }

  private Given read(String form, String user) throws IOException {
    return Kubeconfigs.read(kubeconfig(form, user), Optional.empty());
  }

  private Path program(String name, String script) throws IOException {
    var file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  @ParameterizedTest
  @ValueSource(strings = {YAML, JSON})
  void filesAreNamedRelativeToTheKubeconfig(String form) throws Exception {
    Files.writeString(folder.resolve("token"), "one\n");
    var given = read(form, "\"tokenFile\": \"token\"");
    assertThat(given.config().getAutoOAuthToken()).isEqualTo("one");
    assertThat(given.config().getNamespace()).isEqualTo("n");
    assertThat(given.config().getCaCertFile()).isEqualTo(folder.resolve("pki/ca").toString());
    assertThat(given.files())
        .containsExactly(
            folder.resolve("kubeconfig"), folder.resolve("token"), folder.resolve("pki/ca"));

    Files.writeString(folder.resolve("token"), "two\n");
    assertThat(given.again().get().config().getAutoOAuthToken()).isEqualTo("two");
  }

  /// Whoever acts as somebody else must not act as himself: he may have more rights.
  @ParameterizedTest
  @ValueSource(strings = {YAML, JSON})
  void whoActsAsSomebodyElseSaysSo(String form) throws Exception {
    var config =
        read(
                form,
                """
                "token": "t", "as": "jane", "as-uid": "7", "as-groups": ["web", "ops"],
                "as-user-extra": {"scopes": ["a", "b"]}
                """)
            .config();
    assertThat(config.getImpersonateUsername()).isEqualTo("jane");
    assertThat(config.getImpersonateGroups()).containsExactly("web", "ops");
    assertThat(config.getImpersonateExtras()).isEqualTo(Map.of("scopes", List.of("a", "b")));
    assertThat(config.getCustomHeaders()).isEqualTo(Map.of("Impersonate-Uid", "7"));
    assertThat(read(form, "\"token\": \"t\"").config().getImpersonateUsername()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {YAML, JSON})
  void programsAreNamedRelativeToTheKubeconfig(String form) throws Exception {
    program(
        "plugin",
        """
        echo "a warning that is no part of the answer" >&2
        echo "{\\"status\\": {\\"token\\": \\"$1 of $WHO\\", \\"expirationTimestamp\\": \\"2027-01-01T00:00:00Z\\"}}"
        """);
    var given =
        read(
            form,
            """
            "exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "./plugin",
              "args": ["a b"], "env": [{"name": "WHO", "value": "me"}]}
            """);
    assertThat(given.config().getAutoOAuthToken()).isEqualTo("a b of me");
    assertThat(given.until()).contains(Instant.parse("2027-01-01T00:00:00Z"));
    assertThat(given.asked()).isTrue();
  }

  @Test
  void aProgramIsToldWhichClusterItIsFor() throws Exception {
    var said = folder.resolve("info");
    Files.createDirectory(folder.resolve("pki"));
    Files.writeString(folder.resolve("pki/ca"), "ca");
    program(
        "plugin",
        "echo \"$KUBERNETES_EXEC_INFO\" >'%s'; echo '{\"status\": {\"token\": \"t\"}}'"
            .formatted(said));
    read(
        YAML,
        "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin,"
            + " provideClusterInfo: true}");
    assertThat(Files.readString(said).strip())
        .isEqualTo(
            "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\","
                + "\"spec\":{\"interactive\":false,\"cluster\":{\"server\":\"https://127.0.0.1:1\","
                + "\"certificate-authority-data\":\"Y2E=\"}}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"echo secret; exit 3", "echo '{\"status\": {\"x\": \"secret\"}}'", "echo {secret"})
  void aProgramThatMakesNothingIsSaidAndNothingOfItsAnswer(String script) throws Exception {
    program("plugin", script);
    var file = kubeconfig(YAML, "exec: {command: ./plugin}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Kubeconfigs.read(file, Optional.empty()))
        .withMessageContaining("the credential plugin " + folder.resolve("plugin"))
        .withMessageNotContaining("secret")
        .withNoCause();
  }

  @Test
  void aProgramThatDoesNotEndIsKilled() throws Exception {
    var exec = JsonNodeFactory.instance.objectNode();
    exec.put("command", program("plugin", "sleep 1000").toString());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExecPlugin.ask(exec, exec.objectNode(), Duration.ofMillis(300)))
        .withMessageContaining("no answer within PT0.3S");
  }

  @Test
  void aProxyServesWhateverItsOwnSchemeIs() throws Exception {
    var file = kubeconfig(YAML, "token: t");
    Files.writeString(
        file,
        Files.readString(file).replace("server:", "proxy-url: 'http://me:pw@proxy:3128', server:"));
    var given = Kubeconfigs.read(file, Optional.empty());
    assertThat(given.proxyNamed()).isTrue();
    var proxy = Proxies.named(given.config()).orElseThrow();
    assertThat(proxy.address().getHostString()).isEqualTo("proxy");
    assertThat(proxy.authorization()).contains("Basic bWU6cHc=");
  }

  @Test
  void whoNamesAFileMeansIt() {
    var missing = new Surroundings(List.of(folder.resolve("missing")), true, true);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Kubeconfigs.ofSurroundings(missing, Optional.empty()))
        .withMessage("there is no kubeconfig " + folder.resolve("missing"));
  }

  @Test
  void ofSeveralFilesTheFirstThatNamesSomethingCounts() throws Exception {
    var one = kubeconfig(YAML, "token: one");
    var folderOfTwo = Files.createDirectory(folder.resolve("two"));
    Files.writeString(folderOfTwo.resolve("token"), "two");
    var two =
        Files.writeString(
            folderOfTwo.resolve("kubeconfig"),
            YAML.formatted("tokenFile: token")
                .replace("name: it", "name: other")
                .replace("u,", "v,"));
    Files.writeString(two, Files.readString(two).replace("users: [{name: u", "users: [{name: v"));
    var here = new Surroundings(List.of(one, two), true, false);
    assertThat(Kubeconfigs.ofSurroundings(here, Optional.empty()).config().getAutoOAuthToken())
        .isEqualTo("one");
    assertThat(Kubeconfigs.ofSurroundings(here, Optional.of("other")).config().getAutoOAuthToken())
        .isEqualTo("two");
  }

  /// And what is renewed is written into the file that names the user.
  @Test
  void aProvidersTokenMayStandInAnotherFileThanItsContext() throws Exception {
    var claims = "{\"exp\": 32503680000}".getBytes(StandardCharsets.UTF_8);
    var token = "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims) + ".x";
    var one = kubeconfig(YAML, "").toAbsolutePath();
    Files.writeString(one, Files.readString(one).replace("users: [{name: u, user: {}}]", ""));
    var two =
        Files.writeString(
            folder.resolve("users"),
            "users: [{name: u, user: {auth-provider: {name: oidc, config: {id-token: %s}}}}]"
                .formatted(token));
    var here = new Surroundings(List.of(one, two), true, false);
    var config = Kubeconfigs.ofSurroundings(here, Optional.empty()).config();
    assertThat(config.getMasterUrl()).isEqualTo("https://127.0.0.1:1/");
    assertThat(config.getNamespace()).isEqualTo("n");
    assertThat(config.getAutoOAuthToken()).isEqualTo(token);
    assertThat(config.getFileWithAuthInfo()).isEqualTo(two.toFile());
    assertThat(config.getCurrentContext().getContext().getUser()).isEqualTo("u");
  }
}
