package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// API-03: ValidatingAdmissionPolicies with their bindings, in upstream's words.
class AdmissionPoliciesTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String POLICIES =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
  private static final String BINDINGS = POLICIES.replace("policies", "policybindings");

  @TempDir Path home;
  private RunningServer server;
  private RestClient client;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_1_1);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private RestClient.Reply post(String path, String yaml) throws Exception {
    return client.send(
        "POST", path, World.yaml(yaml).toString(), "Content-Type", "application/json");
  }

  private RestClient.Reply map(String name, String size) throws Exception {
    return post(MAPS, "{metadata: {name: %s}, data: {size: '%s'}}".formatted(name, size));
  }

  /// @param spec beside what it is about
  private RestClient.Reply policy(String spec) throws Exception {
    return post(
        POLICIES,
        """
        {metadata: {name: sizes}, spec: {matchConstraints: {resourceRules: [{operations: [CREATE, UPDATE],
          apiGroups: [''], apiVersions: [v1], resources: [configmaps]}]}, %s}}
        """
            .formatted(spec));
  }

  private void bind(String more) throws Exception {
    var bound =
        post(BINDINGS, "{metadata: {name: all}, spec: {policyName: sizes, %s}}".formatted(more));
    assertThat(bound.status()).as(bound.text()).isEqualTo(201);
  }

  @Test
  void whatItHoldsAgainstAWriteIsSaid() throws Exception {
    policy(
        "validations: [{expression: \"object.data.size == 'small'\", message: only small ones}]");
    assertThat(map("before", "large").status()).isEqualTo(201); // nobody is bound by it yet
    bind("validationActions: [Deny]");
    var refused = map("m", "large");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().path("message").asText())
        .isEqualTo(
            "configmaps \"m\" is forbidden: ValidatingAdmissionPolicy 'sizes' with binding 'all'"
                + " denied request: only small ones");
    assertThat(refused.json().path("reason").asText()).isEqualTo("Invalid");
    assertThat(map("m", "small").status()).isEqualTo(201);
    // An expression that fails is one that does not hold.
    assertThat(post(MAPS, "{metadata: {name: none}}").text()).contains("resulted in error");
  }

  @Test
  void itSeesVariablesOldObjectsRequestsAndNamespaces() throws Exception {
    policy(
        """
        variables: [{name: size, expression: object.data.size},
          {name: known, expression: "variables.size in ['small', 'large']"}],
        matchConditions: [{name: changes, expression: "request.operation == 'UPDATE'"}],
        validations: [{expression: "variables.known && oldObject.data.size != variables.size",
          reason: Forbidden, messageExpression: "'in ' + namespaceObject.metadata.name + ': ' +
          variables.size + ' again, ' + request.userInfo.username"}]
        """);
    bind("validationActions: [Deny]");
    assertThat(map("m", "odd").status()).isEqualTo(201);
    var refused =
        client.send(
            "PUT",
            MAPS + "/m",
            "{\"metadata\":{\"name\":\"m\"},\"data\":{\"size\":\"odd\"}}",
            "Content-Type",
            "application/json");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.json().path("message").asText())
        .contains("denied request: in default: odd again, ");
  }

  @Test
  void itTakesItsLimitsFromParameters() throws Exception {
    post(
        "/api/v1/namespaces/kube-public/configmaps",
        "{metadata: {name: limit}, data: {most: '3'}}");
    policy(
        "paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression:"
            + " \"int(object.data.size) <= int(params.data.most)\"}]");
    bind(
        "paramRef: {name: limit, namespace: kube-public, parameterNotFoundAction: Deny},"
            + " validationActions: [Deny]");
    assertThat(map("a", "3").status()).isEqualTo(201);
    assertThat(map("b", "4").text())
        .contains("failed expression: int(object.data.size) <= int(params.data.most)");
    client.send("DELETE", "/api/v1/namespaces/kube-public/configmaps/limit", "");
    assertThat(map("c", "1").text()).contains("no params found for policy binding with `Deny`");
  }

  @Test
  void aBindingMayOnlyWarn() throws Exception {
    policy("validations: [{expression: \"object.data.size == 'small'\"}]");
    bind("validationActions: [Warn, Audit]");
    var made = map("m", "large");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.header("Warning"))
        .contains("Validation failed for ValidatingAdmissionPolicy 'sizes' with binding 'all'");
  }

  @Test
  void failuresAreIgnoredWhereThePolicySaysSo() throws Exception {
    policy("failurePolicy: Ignore, validations: [{expression: \"object.none.such == 1\"}]");
    bind("validationActions: [Deny]");
    assertThat(map("m", "x").status()).isEqualTo(201);
  }

  @Test
  void oneThatTakesForEverIsCutShort() throws Exception {
    var nested = "true";
    var list = "[" + "1,".repeat(60) + "1]";
    for (var name : "abcdefgh".split("")) nested = list + ".all(" + name + ", " + nested + ")";
    policy("validations: [{expression: \"" + nested + "\"}]");
    bind("validationActions: [Deny]");
    assertThat(map("m", "x").text()).contains("running out of cost budget");
  }

  @Test
  void anExpressionThatCannotBeReadIsRefusedWithItsPolicy() throws Exception {
    var refused = policy("validations: [{expression: \"object.data.size ==\"}]");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text()).contains("spec.validations[0].expression", "compilation failed");
    assertThat(policy("validations: [{expression: \"'text'\"}]").text())
        .contains("must evaluate to bool");
  }

  @Test
  void nothingIsSaidOfWhatABindingLeavesOut() throws Exception {
    policy("validations: [{expression: 'false'}]");
    bind(
        "validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels:"
            + " {kubernetes.io/metadata.name: kube-public}}}");
    assertThat(map("m", "x").status()).isEqualTo(201);
    assertThat(post(MAPS.replace("default", "kube-public"), "{metadata: {name: m}}").status())
        .isEqualTo(422);
  }

  /// The same events are written by two names: who is kept from one is kept from the other.
  @Test
  void whoNamesAKindMeansItsObjectsByWhicheverNameTheyAreWritten() throws Exception {
    var about =
        """
        {metadata: {name: events}, spec: {matchConstraints: {resourceRules: [{operations: ['*'],
          apiGroups: [''], apiVersions: [v1], resources: [events]}]},
          validations: [{expression: "object.involvedObject.name != 'secret'"}]}}
        """;
    assertThat(post(POLICIES, about).status()).isEqualTo(201);
    var bound =
        post(
            BINDINGS,
            "{metadata: {name: e}, spec: {policyName: events, validationActions: [Deny]}}");
    assertThat(bound.status()).as(bound.text()).isEqualTo(201);
    var newer = "/apis/events.k8s.io/v1/namespaces/default/events";
    var event =
        """
        {metadata: {name: %s}, regarding: {kind: Pod, namespace: default, name: %s}, note: n,
          reason: r, type: Normal, action: a, reportingController: a.b/c, reportingInstance: i,
          eventTime: '2026-11-26T10:00:00.000000Z'}
        """;
    var refused = post(newer, event.formatted("a", "secret"));
    assertThat(refused.status()).as(refused.text()).isEqualTo(422);
    assertThat(refused.text()).contains("object.involvedObject.name != 'secret'");
    assertThat(post(newer, event.formatted("b", "open")).status()).isEqualTo(201);
    // Unless it means one name only.
    client.send(
        "PATCH",
        POLICIES + "/events",
        "{\"spec\":{\"matchConstraints\":{\"matchPolicy\":\"Exact\"}}}",
        "Content-Type",
        "application/merge-patch+json");
    assertThat(post(newer, event.formatted("c", "secret")).status()).isEqualTo(201);
  }
}
