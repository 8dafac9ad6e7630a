package dev.berth.apiserver.core.kind.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.kind.Rules;
import java.time.Instant;

/// Ingresses.
final class IngressRules implements Rules {
  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void start(ObjectNode ingress, Instant now) {
    ingress.putObject("status").putObject("loadBalancer");
  }

  @Override
  public void check(Field ingress) {
    var spec = ingress.at("spec");
    if (spec.at("rules").isEmpty() && !spec.at("defaultBackend").isSet())
      spec.invalid("either `defaultBackend` or `rules` must be specified");
    if (spec.at("defaultBackend").isSet()) checkBackend(spec.at("defaultBackend"));
    if (spec.at("ingressClassName").isSet()) Names.SUBDOMAIN.check(spec.at("ingressClassName"));
    for (var rule : spec.at("rules").elements()) {
      var host = rule.at("host");
      if (!host.isEmpty() && !host.text().startsWith("*.")) Names.SUBDOMAIN.check(host);
      if (!rule.at("http").isSet()) continue;
      if (rule.at("http").at("paths").demand())
        rule.at("http").at("paths").elements().forEach(IngressRules::checkPath);
    }
  }

  private static void checkPath(Field path) {
    var type = path.at("pathType");
    if (!type.isSet()) type.required("pathType must be specified");
    else type.demandOneOf("Exact", "ImplementationSpecific", "Prefix");
    var text = path.at("path");
    boolean absolute = text.text().startsWith("/");
    boolean free = type.is("ImplementationSpecific") && text.isEmpty();
    if (!absolute && !free) text.invalid("must be an absolute path");
    checkBackend(path.at("backend"));
  }

  private static void checkBackend(Field backend) {
    var service = backend.at("service");
    if (backend.at("resource").isSet()) {
      if (service.isSet()) backend.invalid("cannot set both resource and service backends");
      return;
    }
    if (!service.at("name").demand()) return;
    Names.LABEL.check(service.at("name"));
    var port = service.at("port");
    if (port.at("name").isEmpty() && !port.at("number").isSet())
      service.required("port name or number is required");
    else if (port.at("number").isSet()) ServiceRules.checkPort(port.at("number"));
  }
}
