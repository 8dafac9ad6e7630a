package dev.berth.apiserver.core.cel;

import static dev.berth.apiserver.core.cel.Types.CIDR;
import static dev.berth.apiserver.core.cel.Types.IP;
import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// `ip('10.0.0.1')`, `cidr('10.0.0.0/8')` and what can be asked of them.
final class AddressFunctions {
  private AddressFunctions() {}

  static void addTo(Functions functions) {
    var text = List.of(STRING);
    functions.function("ip", "string_to_ip", IP, text, a -> Address.parse((String) a[0]));
    functions.function("isIP", "is_ip", BOOL, text, a -> succeeds(Address::parse, (String) a[0]));
    functions.function(
        "ip.isCanonical",
        "ip_is_canonical",
        BOOL,
        text,
        a -> Address.parse((String) a[0]).toString().equals(a[0]));
    functions.member(
        "family", "ip_family", INT, List.of(IP), a -> (long) ((Address) a[0]).family());
    functions.function("string", "ip_to_string", STRING, List.of(IP), a -> a[0].toString());
    asks(functions, "isUnspecified", "ip_is_unspecified", Address::isUnspecified);
    asks(functions, "isLoopback", "ip_is_loopback", Address::isLoopback);
    asks(
        functions,
        "isLinkLocalMulticast",
        "ip_is_link_local_multicast",
        Address::isLinkLocalMulticast);
    asks(functions, "isLinkLocalUnicast", "ip_is_link_local_unicast", Address::isLinkLocalUnicast);
    asks(functions, "isGlobalUnicast", "ip_is_global_unicast", Address::isGlobalUnicast);
    networks(functions);
  }

  private static void asks(
      Functions functions, String name, String id, Predicate<Address> question) {
    functions.member(name, id, BOOL, List.of(IP), a -> question.test((Address) a[0]));
  }

  private static void networks(Functions functions) {
    var text = List.of(STRING);
    functions.function("cidr", "string_to_cidr", CIDR, text, a -> Network.parse((String) a[0]));
    functions.function(
        "isCIDR", "is_cidr", BOOL, text, a -> succeeds(Network::parse, (String) a[0]));
    functions.member(
        "containsIP",
        "cidr_contains_ip_string",
        BOOL,
        List.of(CIDR, STRING),
        a -> network(a).contains(Address.parse((String) a[1])));
    functions.member(
        "containsIP",
        "cidr_contains_ip_ip",
        BOOL,
        List.of(CIDR, IP),
        a -> network(a).contains((Address) a[1]));
    functions.member(
        "containsCIDR",
        "cidr_contains_cidr_string",
        BOOL,
        List.of(CIDR, STRING),
        a -> network(a).contains(Network.parse((String) a[1])));
    functions.member(
        "containsCIDR",
        "cidr_contains_cidr",
        BOOL,
        List.of(CIDR, CIDR),
        a -> network(a).contains((Network) a[1]));
    functions.member("ip", "cidr_ip", IP, List.of(CIDR), a -> network(a).address());
    functions.member(
        "prefixLength", "cidr_prefix_length", INT, List.of(CIDR), a -> (long) network(a).prefix());
    functions.member("masked", "cidr_masked", CIDR, List.of(CIDR), a -> network(a).masked());
    functions.function("string", "cidr_to_string", STRING, List.of(CIDR), a -> a[0].toString());
  }

  private static Network network(Object... arguments) {
    return (Network) arguments[0];
  }

  private static boolean succeeds(Consumer<String> parse, String text) {
    try {
      parse.accept(text);
      return true;
    } catch (IllegalArgumentException otherwise) {
      return false;
    }
  }
}
