package dev.berth.node.pod.start;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/// By which variables a program in a pod finds the API server, as client libraries expect it: those
/// of service `kubernetes`. No service's address leads anywhere here, so they name the server
/// itself.
final class ServerVariables {
  private ServerVariables() {}

  static Map<String, String> of(InetSocketAddress server) {
    var host = server.getHostString();
    var port = Integer.toString(server.getPort());
    var url = "tcp://%s:%s".formatted(host.contains(":") ? "[" + host + "]" : host, port);
    var prefix = "KUBERNETES_PORT_%s_TCP".formatted(port);
    var variables = new LinkedHashMap<String, String>();
    variables.put("KUBERNETES_SERVICE_HOST", host);
    variables.put("KUBERNETES_SERVICE_PORT", port);
    variables.put("KUBERNETES_SERVICE_PORT_HTTPS", port);
    variables.put("KUBERNETES_PORT", url);
    variables.put(prefix, url);
    variables.put(prefix + "_PROTO", "tcp");
    variables.put(prefix + "_PORT", port);
    variables.put(prefix + "_ADDR", host);
    return variables;
  }
}
