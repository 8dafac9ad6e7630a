package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// API-115: what may stand in the configuration of a webhook, and who is believed to be one.
class WebhookConfigurationTest {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
  private static final String HOOKS = REGISTRATION + "validatingwebhookconfigurations";
  private static final String POLICIES = REGISTRATION + "validatingadmissionpolicies";
  private static final String DEFAULT = "/api/v1/namespaces/default/";

  @TempDir Path home;
  @TempDir Path hookHome;
  private RunningServer server;
  private RestClient client;
  private HookServer hooks;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_1_1);
    hooks = new HookServer(hookHome, "judge.default.svc");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    hooks.close();
  }

  private RestClient.Reply post(String path, String yaml) throws Exception {
    var json = World.yaml(yaml).toString();
    return client.send("POST", path, json, "Content-Type", "application/json");
  }

  /// One that is asked about everything.
  ///
  /// @param where its `clientConfig`
  /// @param more further fields
  private RestClient.Reply install(String where, String more) throws Exception {
    return post(
        HOOKS,
        """
        {metadata: {name: judge}, webhooks: [{name: judge.example.com, sideEffects: None,
          admissionReviewVersions: [v1], clientConfig: {%s, caBundle: '%s'},
          rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}] %s}]}
        """
            .formatted(where, hooks.caBundle(), more));
  }

  private String url() {
    return "url: '" + hooks.url("/judge") + "'";
  }

  @Test
  void aConditionThatCannotBeUsedIsRefusedWithItsWords() throws Exception {
    var refused = install(url(), ", matchConditions: [{name: a, expression: 'nobody == 1'}]");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text())
        .contains("webhooks[0].matchConditions[0].expression: Invalid value")
        .contains("undeclared reference to 'nobody'");
  }

  /// One that refuses all could not be taken back.
  @Test
  void nobodyIsAskedWhetherAPolicyMayGo() throws Exception {
    var policy =
        "{metadata: {name: p}, spec: {matchConstraints: {resourceRules: [{apiGroups: [''],"
            + " apiVersions: [v1], operations: [CREATE], resources: [pods]}]}, validations:"
            + " [{expression: 'true'}]}}";
    assertThat(post(POLICIES, policy).status()).isEqualTo(201);
    assertThat(install(url(), "").status()).isEqualTo(201);
    hooks.at("/judge", (_, response) -> response.put("allowed", false));
    assertThat(client.send("DELETE", POLICIES + "/p", "").status()).isEqualTo(200);
    assertThat(hooks.asked()).isEmpty();
  }

  /// An address goes from pod to pod: its certificate is of the service, or nobody's.
  @Test
  void aCertificateForTheAddressIsNotEnoughForAService() throws Exception {
    for (var name : new String[] {"judge", "other"}) {
      post(
          DEFAULT + "services",
          "{metadata: {name: %s}, spec: {ports: [{port: 443}]}}".formatted(name));
      post(
          DEFAULT + "endpoints",
          "{metadata: {name: %s}, subsets: [{addresses: [{ip: 127.0.0.1}], ports: [{port: %d}]}]}"
              .formatted(name, hooks.port()));
    }
    install("service: {name: other, namespace: default, path: /judge}", "");
    assertThat(post(DEFAULT + "configmaps", "{metadata: {name: m}}").text())
        .contains("its certificate is not valid for other.default.svc");
    assertThat(hooks.asked()).isEmpty();
    client.send("DELETE", HOOKS + "/judge", "");
    install("service: {name: judge, namespace: default, path: /judge}", "");
    assertThat(post(DEFAULT + "configmaps", "{metadata: {name: m}}").status()).isEqualTo(201);
  }
}
