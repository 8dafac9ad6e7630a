package dev.berth.apiserver.table;

import static dev.berth.apiserver.table.Column.age;
import static dev.berth.apiserver.table.Column.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// How pods are reached.
final class NetworkTables {
  private static final int MOST = 3;
  private static final int WIDTH = 16;

  private static final Layout SERVICE =
      Layout.of(
          Cells.name(),
          text("Type", "From where it is reached", Cells.at("/spec/type")),
          text("Cluster-IP", "Address in the cluster", Cells.filled("/spec/clusterIP", Cells.NONE)),
          text("External-IP", "Address from outside", NetworkTables::external),
          text("Port(s)", "What it listens at", NetworkTables::ports),
          age(),
          text(
                  "Selector",
                  "Labels of the pods behind it",
                  service -> Cells.labels(service.at("/spec/selector")))
              .wide());

  private static final Layout ENDPOINTS =
      Layout.of(Cells.name(), text("Endpoints", "Where it leads", NetworkTables::endpoints), age());

  private static final Layout SLICE =
      Layout.of(
          Cells.name(),
          text("AddressType", "Kind of its addresses", Cells.at("/addressType")),
          text("Ports", "Ports of all its addresses", slice -> some(slicePorts(slice))),
          text("Endpoints", "Where it leads", slice -> some(sliceAddresses(slice))),
          age());

  private static final Layout INGRESS =
      Layout.of(
          Cells.name(),
          text("Class", "Who serves it", Cells.at("/spec/ingressClassName", Cells.NONE)),
          text("Hosts", "Names that it answers to", NetworkTables::hosts),
          text("Address", "Where it listens", ingress -> narrow(balancers(ingress))),
          text(
              "Ports",
              "Ports that it listens at",
              ingress -> ingress.at("/spec/tls").isEmpty() ? "80" : "80, 443"),
          age());

  private static final Layout INGRESS_CLASS =
      Layout.of(
          text("Name", "The class's name", NetworkTables::className).asName(),
          text("Controller", "Who serves it", Cells.at("/spec/controller")),
          text("Parameters", "More about it", NetworkTables::parameters),
          age());

  private static final Layout POLICY =
      Layout.of(
          Cells.name(),
          text(
              "Pod-Selector",
              "Labels of its pods",
              policy -> Cells.selector(policy.at("/spec/podSelector"))),
          age());

  private static final Layout ADDRESS =
      Layout.of(Cells.name(), text("ParentRef", "Who has it", NetworkTables::parent));

  static final Map<Resource, Layout> ALL =
      Map.of(
          StoredResources.SERVICES, SERVICE,
          StoredResources.ENDPOINTS, ENDPOINTS,
          StoredResources.ENDPOINT_SLICES, SLICE,
          StoredResources.INGRESSES, INGRESS,
          StoredResources.INGRESS_CLASSES, INGRESS_CLASS,
          StoredResources.NETWORK_POLICIES, POLICY,
          StoredResources.IP_ADDRESSES, ADDRESS);

  private NetworkTables() {}

  private static String external(JsonNode service) {
    var all = new ArrayList<String>();
    var type = service.at("/spec/type").asText();
    if (type.equals("ExternalName")) return service.at("/spec/externalName").asText();
    if (type.equals("LoadBalancer")) all.addAll(balancers(service));
    service.at("/spec/externalIPs").forEach(each -> all.add(each.asText()));
    if (!all.isEmpty()) return String.join(",", all);
    return type.equals("LoadBalancer") ? "<pending>" : Cells.NONE;
  }

  private static TreeSet<String> balancers(JsonNode object) {
    var addresses = new TreeSet<String>();
    for (var each : object.at("/status/loadBalancer/ingress")) {
      var address = Json.text(each, "ip");
      addresses.add(address.isEmpty() ? Json.text(each, "hostname") : address);
    }
    return addresses;
  }

  private static String narrow(TreeSet<String> addresses) {
    var text = String.join(",", addresses);
    return text.length() > WIDTH ? text.substring(0, WIDTH - 3) + "..." : text;
  }

  private static String ports(JsonNode service) {
    var ports = Json.list(service.at("/spec/ports"), NetworkTables::port);
    return ports.isEmpty() ? Cells.NONE : String.join(",", ports);
  }

  private static String port(JsonNode port) {
    int node = port.path("nodePort").asInt();
    return port.path("port").asText()
        + (node > 0 ? ":" + node : "")
        + "/"
        + Json.text(port, "protocol");
  }

  private static String endpoints(JsonNode endpoints) {
    var all = new ArrayList<String>();
    for (var subset : endpoints.path("subsets")) {
      var addresses = Json.list(subset.path("addresses"), each -> Json.text(each, "ip"));
      if (subset.path("ports").isEmpty()) all.addAll(addresses);
      for (var port : subset.path("ports"))
        addresses.forEach(address -> all.add(bracketed(address) + ":" + port.path("port").asInt()));
    }
    return endpoints.path("subsets").isEmpty() ? Cells.NONE : some(all, "");
  }

  private static String bracketed(String address) {
    return address.contains(":") ? "[" + address + "]" : address;
  }

  private static List<String> slicePorts(JsonNode slice) {
    return Json.list(
        slice.path("ports"),
        port -> port.has("port") ? port.path("port").asText() : port.path("name").asText("*"));
  }

  private static List<String> sliceAddresses(JsonNode slice) {
    var all = new ArrayList<String>();
    for (var endpoint : slice.path("endpoints"))
      endpoint.path("addresses").forEach(each -> all.add(each.asText()));
    return all;
  }

  private static String some(List<String> all) {
    return some(all, "<unset>");
  }

  /// The first few, and how many there are beside them.
  private static String some(List<String> all, String otherwise) {
    if (all.isEmpty()) return otherwise;
    var text = String.join(",", all.subList(0, Math.min(all.size(), MOST)));
    return all.size() > MOST ? text + " + " + (all.size() - MOST) + " more..." : text;
  }

  private static String hosts(JsonNode ingress) {
    var hosts =
        Json.list(ingress.at("/spec/rules"), rule -> Json.text(rule, "host")).stream()
            .filter(host -> !host.isEmpty())
            .toList();
    return some(hosts, "*");
  }

  private static String className(JsonNode ingressClass) {
    boolean standard =
        Cells.annotation(ingressClass, "ingressclass.kubernetes.io/is-default-class")
            .anyMatch("true"::equals);
    return Cells.nameOf(ingressClass) + (standard ? " (default)" : "");
  }

  private static String parameters(JsonNode ingressClass) {
    var parameters = ingressClass.at("/spec/parameters");
    if (!parameters.isObject()) return Cells.NONE;
    var group = Json.text(parameters, "apiGroup");
    return Json.text(parameters, "kind")
        + (group.isEmpty() ? "" : "." + group)
        + "/"
        + Json.text(parameters, "name");
  }

  private static String parent(JsonNode address) {
    var parent = address.at("/spec/parentRef");
    var namespace = Json.text(parent, "namespace");
    return Json.text(parent, "resource")
        + "/"
        + (namespace.isEmpty() ? "" : namespace + "/")
        + Json.text(parent, "name");
  }
}
