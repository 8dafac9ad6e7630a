package dev.berth.apiserver.core.kind.workload;

import dev.berth.apiserver.core.field.Field;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// What is wrong with a container beside its name and its files: ports, probes, hooks, policies
/// (API-105). Texts as kube-apiserver's (`interop/api-differential`).
final class ContainerRules {
  private static final List<String> PROBES =
      List.of("livenessProbe", "readinessProbe", "startupProbe");
  private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc");
  private static final List<String> HOOK_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "sleep");
  private static final List<String> COUNTS =
      List.of(
          "initialDelaySeconds",
          "timeoutSeconds",
          "periodSeconds",
          "successThreshold",
          "failureThreshold");
  private static final Pattern HEADER = Pattern.compile("[-A-Za-z0-9]+");
  private static final int LONGEST_PORT_NAME = 15;

  private ContainerRules() {}

  /// @param grace the pod's, in seconds
  static void check(Field container, long grace) {
    checkPorts(container.at("ports"));
    checkHooks(container.at("lifecycle"), grace);
    PROBES.forEach(name -> checkProbe(container.at(name), grace));
    for (var name : List.of("livenessProbe", "startupProbe")) checkOnce(container.at(name));
    if (container.at("readinessProbe").at("terminationGracePeriodSeconds").isSet())
      container
          .at("readinessProbe")
          .at("terminationGracePeriodSeconds")
          .invalid("must not be set for readinessProbes");
    demandIfSet(container.at("terminationMessagePolicy"), "File", "FallbackToLogsOnError");
    demandIfSet(container.at("imagePullPolicy"), "Always", "IfNotPresent", "Never");
    demandIfSet(container.at("restartPolicy"), "Always", "Never", "OnFailure");
  }

  /// One that ends before the others begin is neither asked nor told anything.
  static void checkInit(Field container, long grace) {
    if (!container.at("restartPolicy").is("Always"))
      for (var name : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe"))
        if (container.at(name).isSet())
          container
              .at(name)
              .forbidden("may not be set for init containers without restartPolicy=Always");
    check(container, grace);
  }

  private static void demandIfSet(Field field, String... values) {
    if (field.isSet()) field.demandOneOf(values);
  }

  private static void checkPorts(Field ports) {
    var names = new HashSet<String>();
    for (var port : ports.elements()) {
      var name = port.at("name");
      if (!name.isEmpty()) {
        checkPortName(name);
        if (!names.add(name.text())) name.duplicate();
      }
      if (port.at("containerPort").node().asLong() == 0) port.at("containerPort").required();
      else checkNumber(port.at("containerPort"));
      if (port.at("hostPort").node().asLong() != 0) checkNumber(port.at("hostPort"));
      demandIfSet(port.at("protocol"), "SCTP", "TCP", "UDP");
    }
  }

  private static void checkHooks(Field lifecycle, long grace) {
    for (var name : List.of("postStart", "preStop"))
      if (lifecycle.at(name).isSet()) checkHandler(lifecycle.at(name), HOOK_HANDLERS, grace);
  }

  private static void checkProbe(Field probe, long grace) {
    if (!probe.isSet()) return;
    checkHandler(probe, HANDLERS, grace);
    COUNTS.forEach(count -> probe.at(count).atLeast(0));
    var own = probe.at("terminationGracePeriodSeconds");
    if (own.isSet() && own.node().asLong() <= 0) own.invalid("must be greater than 0");
  }

  private static void checkOnce(Field probe) {
    var times = probe.at("successThreshold");
    if (probe.isSet() && times.isSet() && times.node().asLong() != 1) times.invalid("must be 1");
  }

  private static void checkHandler(Field handler, List<String> kinds, long grace) {
    boolean one = false;
    for (var kind : kinds) {
      var field = handler.at(kind);
      if (!field.isSet()) continue;
      if (one) field.forbidden("may not specify more than 1 handler type");
      else checkOne(kind, field, grace);
      one = true;
    }
    if (!one) handler.required("must specify a handler type");
  }

  private static void checkOne(String kind, Field field, long grace) {
    switch (kind) {
      case "exec" -> field.at("command").demand();
      case "httpGet" -> checkRequest(field);
      case "sleep" -> checkSleep(field, grace);
      default -> checkPort(field.at("port"));
    }
  }

  private static void checkRequest(Field request) {
    request.at("path").demand();
    checkPort(request.at("port"));
    request.at("scheme").demandOneOf("HTTP", "HTTPS");
    for (var header : request.at("httpHeaders").elements())
      if (!HEADER.matcher(header.at("name").text()).matches())
        request
            .at("httpHeaders")
            .invalid(
                header.at("name").text(),
                "a valid HTTP header must consist of alphanumeric characters or '-' (e.g."
                    + " 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')");
  }

  private static void checkSleep(Field sleep, long grace) {
    var seconds = sleep.at("seconds").node();
    if (seconds.asLong() < 0 || seconds.asLong() > grace)
      sleep
          .standingAs(seconds)
          .invalid(
              "must be non-negative and less than terminationGracePeriodSeconds (%d)"
                  .formatted(grace));
  }

  private static void checkPort(Field port) {
    if (port.node().isTextual()) checkPortName(port);
    else checkNumber(port);
  }

  private static void checkNumber(Field port) {
    long number = port.node().asLong();
    if (number < 1 || number > 65535) port.invalid("must be between 1 and 65535, inclusive");
  }

  private static void checkPortName(Field name) {
    var text = name.text();
    if (text.length() > LONGEST_PORT_NAME)
      name.invalid("must be no more than " + LONGEST_PORT_NAME + " characters");
    if (!text.matches("[-a-z0-9]+"))
      name.invalid("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    if (!text.matches(".*[a-z].*")) name.invalid("must contain at least one letter (a-z)");
    if (text.contains("--")) name.invalid("must not contain consecutive hyphens");
    if (text.startsWith("-") || text.endsWith("-"))
      name.invalid("must not begin or end with a hyphen");
  }
}
