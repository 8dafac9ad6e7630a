package dev.berth.apiserver.core.kind.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.cel.Url;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.kind.Selectors;
import java.util.HashSet;

/// ValidatingWebhookConfigurations and MutatingWebhookConfigurations (API-115).
///
/// @param mutating whether they change what they are asked about
record WebhookRules(boolean mutating) implements Rules {
  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public boolean versionlessUpdate() {
    return false;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void setDefaults(ObjectNode configuration) {
    for (var each : configuration.path("webhooks"))
      if (each instanceof ObjectNode hook) setHook(hook);
  }

  private void setHook(ObjectNode hook) {
    Trees.setDefault(hook, "failurePolicy", "Fail");
    Trees.setDefault(hook, "timeoutSeconds", 10);
    if (mutating) Trees.setDefault(hook, "reinvocationPolicy", "Never");
    AdmissionPolicyRules.setMatching(hook);
    AdmissionPolicyRules.setScopes(hook.path("rules"));
    if (hook.path("clientConfig").get("service") instanceof ObjectNode service)
      Trees.setDefault(service, "port", 443);
  }

  @Override
  public void check(Field configuration) {
    var names = new HashSet<String>();
    for (var hook : configuration.at("webhooks").elements()) {
      var name = hook.at("name");
      if (name.demand()) checkName(name);
      if (!names.add(name.text())) name.duplicate();
      hook.at("admissionReviewVersions").demand();
      var effects = hook.at("sideEffects");
      if (!effects.isSet()) effects.required("must specify one of None, NoneOnDryRun");
      else effects.demandOneOf("None", "NoneOnDryRun");
      hook.at("failurePolicy").demandOneOf("Fail", "Ignore");
      hook.at("matchPolicy").demandOneOf("Equivalent", "Exact");
      long seconds = hook.at("timeoutSeconds").node().asLong();
      if (seconds < 1 || seconds > 30)
        hook.at("timeoutSeconds").invalid("the timeout value must be between 1 and 30 seconds");
      Selectors.check(hook.at("namespaceSelector"));
      Selectors.check(hook.at("objectSelector"));
      AdmissionPolicyRules.checkOperations(hook.at("rules"));
      checkClient(hook.at("clientConfig"));
    }
  }

  private static void checkName(Field name) {
    Names.SUBDOMAIN.check(name);
    if (name.text().split("\\.", -1).length < 3)
      name.invalid("should be a domain with at least three segments separated by dots");
  }

  private static void checkClient(Field client) {
    boolean url = client.at("url").isSet();
    boolean service = client.at("service").isSet();
    if (url == service) client.required("exactly one of url or service is required");
    if (url) checkUrl(client.at("url"));
    if (!service) return;
    client.at("service").at("name").demand();
    client.at("service").at("namespace").demand();
  }

  private static void checkUrl(Field field) {
    var text = field.text();
    try {
      var url = Url.parse(text);
      if (!url.scheme().equals("https")) notUrl(field, "'https' is the only allowed URL scheme");
      if (url.host().isEmpty()) notUrl(field, "host must be specified");
      else if (authority(text).contains("@"))
        notUrl(field, "user information is not permitted in the URL");
      if (text.contains("#")) notUrl(field, "fragments are not permitted in the URL");
      if (text.contains("?")) notUrl(field, "query parameters are not permitted in the URL");
    } catch (IllegalArgumentException unreadable) {
      notUrl(field, "url must be a valid URL: " + unreadable.getMessage());
    }
  }

  /// What stands before the path, user and all.
  private static String authority(String url) {
    int begin = url.indexOf("//") + 2;
    int end = url.indexOf('/', begin);
    return end < 0 ? url.substring(begin) : url.substring(begin, end);
  }

  private static void notUrl(Field field, String why) {
    field.invalid(why + "; desired format: https://host[/path]");
  }
}
