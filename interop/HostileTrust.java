import java.security.cert.X509Certificate;
import javax.net.ssl.X509ExtendedTrustManager;

/// The server is ours: it is not its certificate that is tried here.
final class HostileTrust extends X509ExtendedTrustManager {
  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) {}

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
