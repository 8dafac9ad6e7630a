package dev.berth.apiserver.core.cel;

import static dev.berth.apiserver.core.cel.Types.TEXTS;
import static dev.berth.apiserver.core.cel.Types.URL;
import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.STRING;

import dev.cel.common.types.MapType;
import java.util.List;
import java.util.function.Function;

/// `url('https://example.org/')` and what can be asked of it.
final class UrlFunctions {
  private UrlFunctions() {}

  static void addTo(Functions functions) {
    functions.function("url", "string_to_url", URL, List.of(STRING), a -> Url.parse((String) a[0]));
    functions.function("isURL", "is_url_string", BOOL, List.of(STRING), a -> is((String) a[0]));
    tells(functions, "getScheme", "url_get_scheme", Url::scheme);
    tells(functions, "getHost", "url_get_host", Url::host);
    tells(functions, "getHostname", "url_get_hostname", Url::hostname);
    tells(functions, "getPort", "url_get_port", Url::port);
    tells(functions, "getEscapedPath", "url_get_escaped_path", Url::path);
    functions.member(
        "getQuery",
        "url_get_query",
        MapType.create(STRING, TEXTS),
        List.of(URL),
        a -> ((Url) a[0]).query());
  }

  private static void tells(
      Functions functions, String name, String id, Function<Url, String> part) {
    functions.member(name, id, STRING, List.of(URL), a -> part.apply((Url) a[0]));
  }

  private static boolean is(String text) {
    try {
      Url.parse(text);
      return true;
    } catch (IllegalArgumentException otherwise) {
      return false;
    }
  }
}
