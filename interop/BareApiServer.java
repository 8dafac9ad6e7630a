import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.http.HttpServer;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.tls.Credentials;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/// Berth's API server alone, in memory, until it is killed: no controller changes what a request has
/// made. Writes HOME/kubeconfig when it serves.
///
///     java -cp 'build/lib/*' interop/BareApiServer.java HOME
final class BareApiServer {
  public static void main(String[] arguments) throws Exception {
    var home = Path.of(arguments[0]);
    var credentials = Credentials.in(home);
    var http =
        HttpServer.start(
            EmbeddedApiServer.start(new MemoryStore()),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            credentials,
            (_, _, _) -> new ByteArrayInputStream(new byte[0]),
            () -> "");
    credentials.writeKubeconfig(home.resolve("kubeconfig"), http.url());
    Thread.currentThread().join();
  }
}
